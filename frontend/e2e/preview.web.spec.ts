// `lineup preview` in a browser: the file on disk is what is shown, the state
// outlives a save, and whatever is wrong is said with its place and its fix.
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, tempDir } from './lineup.ts';
import { Starter } from './previewstage.ts';
import { until } from './stage.ts';
import { WebStage } from './webstage.ts';

const title = 'Trip list';

async function shows(stage: WebStage, text: string) {
  await until(`the surface shows ${text}`, async () => (await stage.inside(title)).includes(text));
}

async function looksRight(stage: WebStage) {
  // The frames are opaque to the page and so to axe; they are looked at by eye.
  const { violations } = await new AxeBuilder({ page: stage.page }).exclude('iframe').analyze();
  expect(violations.map((v) => [v.id, v.nodes.map((n) => n.target)])).toEqual([]);
  const over = await stage.evaluate<number>(
    'return document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(over, 'nothing sticks out sideways').toBe(0);
}

test('follows the files, keeps the state, and says what is wrong', async () => {
  const starter = new Starter();
  const stage = new WebStage({ preview: starter.path });
  try {
    await stage.start();
    const { page } = stage;
    await stage.sees({ role: 'heading', name: /trip-list/ });
    await shows(stage, '1 of 3 packed');

    // The state editor: what is typed is checked, and applied.
    const editor = page.getByRole('textbox', { name: 'State as JSON' });
    await expect(editor).toHaveValue(/"city": "Oslo"/);
    const state = await editor.inputValue();
    await editor.fill(state.replace('"Oslo"', 'Oslo'));
    await expect(page.getByText('Line 2, column 11')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await editor.fill(state.replace('"Oslo"', '7'));
    await expect(page.getByText(/does not match the bundle’s own schema/)).toBeVisible();
    await editor.fill(state.replace('Oslo', 'Lima'));
    await editor.press('Control+Enter');
    await shows(stage, 'Packing for Lima');

    // A save shows at once, and the state stays.
    starter.edit('script.js', 'Packing for', 'Bags for');
    await shows(stage, 'Bags for Lima');

    // A broken one changes nothing but what is said.
    starter.edit('script.js', 'let state;', 'let state = ;');
    await expect(page.getByRole('alert')).toContainText('Your last save is not shown');
    await stage.click({ role: 'button', name: 'What is wrong' });
    const problems = page.getByRole('tabpanel');
    await expect(problems).toContainText('script.js:6:13');
    await expect(problems).toContainText('Correct the syntax here or just before.');
    await shows(stage, 'Bags for Lima');
    await looksRight(stage);
    await stage.shot('preview-broken');

    // Mended, with something that the sandbox will block: it is shown, and said.
    starter.edit('script.js', 'let state = ;', 'let state;');
    await expect(page.getByRole('alert')).toHaveCount(0);
    starter.edit('index.html', '<main>', '<main>\n  <img src="https://example.com/a.png" alt="">');
    await expect(problems).toContainText('index.html:2:8');
    await expect(problems).toContainText('It stays blank, because the CSP lets nothing load');
    await shows(stage, 'Bags for Lima');

    // What the surface says.
    await stage.click({ role: 'tab', name: 'Events' });
    const frame = page.locator(`iframe[title="${title}"]`).last().contentFrame();
    await frame.getByRole('checkbox', { name: 'Charger' }).click();
    await expect(page.getByRole('tabpanel').locator('summary').first()).toContainText('toggle');
    await page.getByRole('tabpanel').locator('summary').first().click();
    await expect(page.getByRole('tabpanel')).toContainText('"id": "charger"');

    // Start over: the first state of the file again.
    await stage.click({ role: 'button', name: 'Start over' });
    await shows(stage, 'Bags for Oslo');

    // Closed by its title bar, it comes back.
    await stage.click({ role: 'button', name: `Close ${title}` });
    await stage.sees({ role: 'heading', name: 'It is closed' });
    await stage.click({ role: 'button', name: 'Start over' });
    await shows(stage, 'Bags for Oslo');
  } finally {
    await stage.end();
    starter.remove();
  }
});

test('shows it as others will see it: theme, language, width, text size', async () => {
  const starter = new Starter();
  const stage = new WebStage({ preview: starter.path, locale: 'en-GB' });
  try {
    await stage.start();
    const { page } = stage;
    await shows(stage, 'Packing for Oslo');
    const frame = page.locator(`iframe[title="${title}"]`).last();
    await expect(page.getByRole('radio', { name: '720' })).toBeChecked();
    const html = frame.contentFrame().locator('html');
    const wide = async () => Math.round((await frame.boundingBox())?.width ?? 0);
    for (const width of [360, 480, 720]) {
      await page.getByRole('radio', { name: String(width) }).check({ force: true });
      await until(`it is ${width} wide`, async () => (await wide()) === width);
      expect(await html.evaluate(() => innerWidth)).toBe(width);
    }
    await page.getByRole('radio', { name: 'Full' }).check({ force: true });
    await until('it has all the room', async () => (await wide()) > 800);

    for (const theme of ['dark', 'contrast', 'light']) {
      await page.getByRole('combobox', { name: 'Theme' }).selectOption(theme);
      await expect(html).toHaveAttribute('data-theme', theme);
    }
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN');
    await shows(stage, '已装 1 / 3');
    await stage.sees({ role: 'button', name: '重新开始' });
    await page.getByRole('combobox', { name: '文字大小' }).selectOption('200');
    await expect(page.locator('html')).toHaveCSS('font-size', '32px');
    await looksRight(stage);
  } finally {
    await stage.end();
    starter.remove();
  }
});

test('plays a recording; what it asks to do is asked about and not done', async () => {
  const temp = tempDir();
  const path = join(temp.path, 'talk.jsonl');
  const line = (id: string, type: string, payload: object) =>
    JSON.stringify({
      v: 1,
      id,
      type: `lineup.v1.${type}`,
      conversation_id: 'c',
      sender: { kind: 'agent', id: 'demo' },
      payload,
    });
  const call = {
    call_id: 'c1',
    capability: 'clipboard.write',
    reason: 'to show',
    arguments: { text: 'abc' },
  };
  writeFileSync(
    path,
    [
      line('1', 'message', { text: 'One' }),
      line('2', 'app.call', call),
      line('3', 'message', { text: 'Three' }),
    ].join('\n'),
  );
  const stage = new WebStage({ preview: path });
  try {
    await stage.start(['--paused']);
    const { page } = stage;
    await stage.sees({ role: 'progressbar', name: 'How far the recording is' });
    await stage.setClipboard('before');
    await stage.click({ role: 'button', name: 'One step' });
    await until('the first message', async () => (await stage.log()).includes('One'));
    expect(await stage.log()).not.toContain('Three');
    await stage.click({ role: 'button', name: 'Play' });
    await until('the last message', async () => (await stage.log()).includes('Three'));
    await stage.click({ role: 'button', name: 'Allow once' });
    await until('it says so', async () =>
      (await stage.log()).includes('allowed; in a preview nothing is done'),
    );
    expect(await stage.clipboard()).toBe('before');
    await looksRight(stage);
    await stage.shot('preview-recording');

    // A line that is no envelope: its number and its field.
    writeFileSync(path, line('1', 'message', { text: 'One' }) + '\n' + line('2', 'choice', { prompt: '?' }));
    await expect(page.getByRole('alert')).toContainText('Your last save is not shown');
    await stage.click({ role: 'button', name: 'What is wrong' });
    await expect(page.getByRole('tabpanel')).toContainText('talk.jsonl:2');
    await expect(page.getByRole('tabpanel')).toContainText('payload.options');

    // Mended, it plays from its beginning.
    writeFileSync(path, line('1', 'message', { text: 'Another' }));
    await until('the new recording', async () => (await stage.log()).includes('Another'));
    expect(await stage.log()).not.toContain('Three');
  } finally {
    await stage.end();
    temp.remove();
  }
});

test('leaves nothing behind', async () => {
  const starter = new Starter();
  const temp = tempDir();
  const stage = new WebStage({ preview: starter.path });
  const before = process.env.TMPDIR;
  try {
    process.env.TMPDIR = temp.path;
    await stage.start();
    await shows(stage, 'Packing for Oslo');
    expect(readdirSync(temp.path).filter((name) => name.startsWith('lineup-preview-'))).toHaveLength(1);
    await stage.program.stop();
    expect(readdirSync(temp.path).filter((name) => name.startsWith('lineup-preview-'))).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await stage.end();
    starter.remove();
    temp.remove();
  }
});

test('checks for CI: what hangs, what leaves, what is good', async () => {
  const starter = new Starter();
  const check = (...args: string[]) => {
    const flags = ['preview', '--check', '--no-sandbox', '--timeout', '100s', ...args, starter.path];
    const { status, stdout } = spawnSync(bin('lineup'), flags, {
      encoding: 'utf8',
      env: { ...process.env, LANG: 'C' },
    });
    return { status, stdout };
  };
  try {
    expect(check()).toEqual({ status: 0, stdout: 'Clean.\n' });
    starter.save('script.js', 'LineUpSurface.onState(() => { for (;;) {} });');
    const hangs = check();
    expect(hangs.status).toBe(1);
    expect(hangs.stdout).toContain('It stopped answering: a script runs without end.');
    starter.save(
      'script.js',
      'LineUpSurface.onState(() => { const l = location; l["href"] = "about:blank"; });',
    );
    const leaves = check('--json');
    expect(leaves.status).toBe(1);
    const { clean, shown, findings } = JSON.parse(leaves.stdout) as {
      clean: boolean;
      shown: boolean;
      findings: { code: string }[];
    };
    expect([clean, shown, findings.map((f) => f.code)]).toEqual([false, true, ['stopped_navigated']]);
  } finally {
    starter.remove();
  }
});

const looks = [
  { name: '1440-light-en', width: 1440, height: 900 },
  { name: '1440-dark-zh', width: 1440, height: 900, dark: true, locale: 'zh-CN' },
  { name: '1024-light-zh', width: 1024, height: 700, locale: 'zh-CN' },
  { name: '1024-dark-en', width: 1024, height: 700, dark: true },
  { name: '640-light-en', width: 640, height: 480 },
];
for (const look of looks) {
  test(`looks right: ${look.name}`, async () => {
    const starter = new Starter();
    const stage = new WebStage({ ...look, preview: starter.path, reducedMotion: true });
    const zh = look.locale === 'zh-CN';
    try {
      await stage.start();
      await shows(stage, 'Oslo');
      for (const [tab, name] of Object.entries(
        zh
          ? { 状态: 'state', 事件: 'log', 问题: 'problems' }
          : { State: 'state', Events: 'log', Problems: 'problems' },
      )) {
        await stage.click({ role: 'tab', name: tab });
        await looksRight(stage);
        await stage.shot(`preview-${look.name}-${name}`);
      }
    } finally {
      await stage.end();
      starter.remove();
    }
  });
}
