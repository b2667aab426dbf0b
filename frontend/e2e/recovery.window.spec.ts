// The web process may die at any moment: the page comes back with everything,
// and the new process is probed before it shows a surface.
import { expect, test } from '@playwright/test';
import { until } from './stage.ts';
import { WindowStage } from './windowstage.ts';

test('a killed web process loses nothing', async () => {
  const stage = new WindowStage();
  const title = 'Weather dashboard';
  try {
    await stage.start();
    await stage.click({ role: 'button', name: 'Start with the demo agent' });
    await stage.type({ role: 'textbox', name: 'Message' }, 'weather');
    await stage.press('Enter');
    await stage.clickInside(title, 'Refresh');
    await until('the new state', async () => (await stage.inside(title)).includes('Refreshed 1 time'));
    await stage.sees({ role: 'alertdialog', name: /wants to write to the clipboard/ });
    await stage.type({ role: 'textbox', name: 'Message' }, 'a draft');
    // The page saves a draft while it is typed; this is the moment that takes.
    await stage.evaluate(
      'globalThis.before = true; await new Promise((r) => setTimeout(r, 500)); return true',
    );
    await stage.killWebProcess();
    await until('another page', async () => !(await stage.evaluate<boolean>('return !!globalThis.before')));
    await until('the surface is back', async () => (await stage.inside(title)).includes('Refreshed 1 time'));
    await stage.sees({ role: 'alertdialog', name: /wants to write to the clipboard/ });
    await until('the draft is back', async () =>
      stage.evaluate<boolean>('return document.querySelector("textarea").value === "a draft"'),
    );
    expect(await stage.messages()).toEqual([]);
  } finally {
    await stage.end();
  }
});
