// Every screen at several sizes, in both themes and languages: axe finds
// nothing, nothing is cut off sideways, and there is a picture of each.
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { until } from './stage.ts';
import { WebStage } from './webstage.ts';

const looks = [
  { name: '1440-light-en', width: 1440, height: 900, locale: 'en-GB' },
  { name: '1024-dark-zh', width: 1024, height: 700, dark: true, locale: 'zh-CN' },
  { name: '640-light-zh', width: 640, height: 480, locale: 'zh-CN' },
  { name: '640-dark-en', width: 640, height: 480, dark: true, locale: 'en-GB' },
];

for (const look of looks) {
  test(`looks right: ${look.name}`, async () => {
    const stage = new WebStage({ ...look, reducedMotion: true });
    const zh = look.locale.startsWith('zh');
    const check = async (screen: string) => {
      await stage.shot(`look-${look.name}-${screen}`);
      // The frames are opaque to the page and so to axe; they are looked at by eye.
      const { violations } = await new AxeBuilder({ page: stage.page }).exclude('iframe').analyze();
      expect(violations.map((v) => [v.id, v.nodes.map((n) => n.target)])).toEqual([]);
      const over = await stage.evaluate<number>(
        'return document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(over, 'nothing sticks out sideways').toBe(0);
    };
    try {
      await stage.start();
      await check('welcome');
      await stage.click({ role: 'button', name: zh ? /演示/ : /demo agent/ });
      const say = async (text: string) => {
        await stage.type({ role: 'textbox', name: zh ? /消息/ : 'Message' }, text);
        await stage.press('Enter');
      };
      for (const text of zh ? ['排版', '选择', '表单'] : ['markdown', 'choice', 'form']) await say(text);
      await until('the form is there', async () => (await stage.count({ role: 'form', name: /.+/ })) > 0);
      await check('components');
      await say(zh ? '天气' : 'weather');
      const title = zh ? '天气面板' : 'Weather dashboard';
      await until('the dashboard', async () => (await stage.inside(title)).includes(zh ? '北京' : 'Beijing'));
      const frame = stage.page.locator(`iframe[title="${title}"]`).last().contentFrame();
      await expect(frame.locator('html')).toHaveAttribute('data-theme', look.dark ? 'dark' : 'light');
      await check('surface');
      await stage.click({ role: 'button', name: zh ? '它能做什么？' : 'What can this do?' });
      await check('about');
      await stage.press('Escape');
      await stage.clickInside(title, zh ? '刷新' : 'Refresh');
      await stage.sees({ role: 'alertdialog', name: /.+/ });
      await check('prompt');
    } finally {
      await stage.end();
    }
  });
}
