// `lineup preview` in the real window: the sealed one, with nothing of the user's.
import { expect, test } from '@playwright/test';
import { Starter } from './previewstage.ts';
import { until } from './stage.ts';
import { WindowStage } from './windowstage.ts';

test('follows the files, keeps the state, and is sealed', async () => {
  const starter = new Starter();
  const stage = new WindowStage();
  const title = 'Trip list';
  const shows = (text: string) =>
    until(`the surface shows ${text}`, async () => (await stage.inside(title)).includes(text));
  try {
    await stage.start(['preview', starter.path]);
    await shows('Packing for Oslo');
    await stage.misses({ role: 'textbox', name: 'Message' }); // no chat here

    // A save keeps the state that was typed.
    await stage.evaluate(`
      const editor = [...document.querySelectorAll('textarea')].at(-1);
      editor.focus(); editor.setSelectionRange(editor.value.indexOf('Oslo'), editor.value.indexOf('Oslo') + 4);
      document.execCommand('insertText', false, 'Lima'); return true`);
    await stage.click({ role: 'button', name: 'Apply' });
    await shows('Packing for Lima');
    starter.edit('script.js', 'Packing for', 'Bags for');
    await shows('Bags for Lima');

    // A broken one is said and not shown.
    starter.edit('script.js', 'let state;', 'let state = ;');
    await stage.sees({ role: 'alert', name: '' });
    await stage.click({ role: 'button', name: 'What is wrong' });
    await until('the place is said', async () =>
      stage.evaluate<boolean>('return document.body.innerText.includes("script.js:6:13")'),
    );
    await shows('Bags for Lima');
    await stage.shot('preview-broken');
    starter.edit('script.js', 'let state = ;', 'let state;');

    // What the surface says is listed.
    await stage.click({ role: 'tab', name: 'Events' });
    await stage.clickInside(title, 'Add');
    expect(
      await stage.evaluate<string>('return document.querySelector("footer")?.innerText ?? ""'),
    ).not.toMatch(/Web host/);
    expect(await stage.messages()).toEqual([]);
    await stage.shot('preview');
  } finally {
    await stage.end();
    starter.remove();
  }
});
