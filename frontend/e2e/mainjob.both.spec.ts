// The main job: chat, use a surface, decide what the agent may do, and find
// everything again after a crash. In both shells, with three agents.
import { expect, test } from '@playwright/test';
import { Program, bin } from './lineup.ts';
import { until, type Stage } from './stage.ts';
import { WebStage } from './webstage.ts';
import { WindowStage } from './windowstage.ts';

const message = { role: 'textbox', name: 'Message' };
const prompt = { role: 'alertdialog', name: /wants to write to the clipboard/ };
const dashboard = 'Weather dashboard';

const makeStage = (): Stage => (test.info().project.name === 'web' ? new WebStage() : new WindowStage());

async function send(stage: Stage, text: string) {
  await stage.type(message, text);
  await stage.press('Enter');
}

async function refresh(stage: Stage, times: RegExp) {
  await stage.clickInside(dashboard, 'Refresh');
  await until('the surface shows the new state', async () => times.test(await stage.inside(dashboard)));
}

const occurrences = (text: string, part: RegExp) => text.match(new RegExp(part, 'g'))?.length ?? 0;

async function mainJob(stage: Stage, name: string, args: string[]) {
  await stage.start(args);
  if (args.length === 0) await stage.click({ role: 'button', name: 'Start with the demo agent' });
  else {
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
  }
  await send(stage, 'weather');
  if (args.length > 0) {
    // A stranger's first own interface is asked about.
    await stage.sees({ role: 'alertdialog', name: /wants to show its own interface/ });
    await stage.shot(`${name}-own-interface`);
    await stage.click({ role: 'button', name: 'Show' });
  }
  await stage.sees({ role: 'region', name: dashboard });
  await until('the dashboard shows the city', async () =>
    (await stage.inside(dashboard)).includes('Beijing'),
  );
  await stage.shot(`${name}-dashboard`);

  // Allowed once.
  await stage.setClipboard('before');
  await refresh(stage, /Refreshed 1 time/);
  await stage.sees(prompt);
  await stage.shot(`${name}-prompt`);
  expect(await stage.clipboard()).toBe('before');
  await stage.click({ role: 'button', name: 'Allow once' });
  await until('the agent says so', async () => (await stage.log()).includes('Copied'));
  expect(await stage.clipboard()).toContain('Beijing');
  await stage.misses(prompt);

  // Declined: a new dashboard asks anew.
  await stage.setClipboard('before');
  await send(stage, 'weather');
  await until(
    'a second dashboard',
    async () => (await stage.count({ role: 'region', name: dashboard })) === 2,
  );
  await until('it is a new one', async () => (await stage.inside(dashboard)).includes('Not refreshed yet'));
  await refresh(stage, /Refreshed 1 time/);
  await stage.sees(prompt);
  await stage.click({ role: 'button', name: 'Don’t allow' });
  await until('the agent heard no', async () => (await stage.log()).includes('not copied'));
  expect(await stage.clipboard()).toBe('before');
  await stage.misses(prompt);
  const before = await stage.log();

  // Killed and started again.
  await stage.crash();
  await stage.start(args);
  await until('the conversation is back', async () => (await stage.log()).includes('not copied'));
  await until('the surface has its last state', async () =>
    /Refreshed 1 time/.test(await stage.inside(dashboard)),
  );
  await stage.shot(`${name}-after-crash`);
  const after = await stage.log();
  for (const part of [/not copied/, /Copied/, /weather/]) {
    expect(occurrences(after, part), String(part)).toBe(occurrences(before, part));
  }
  await stage.misses(prompt);
  await stage.click({ role: 'button', name: 'Activity' });
  await stage.sees({ role: 'region', name: 'Activity' });
  await until('the audit rows are there', async () =>
    /write to the clipboard/i.test(await stage.evaluate<string>('return document.body.innerText')),
  );
  await stage.shot(`${name}-activity`);
}

test('main job with the demo agent', async () => {
  const stage = makeStage();
  try {
    await mainJob(stage, 'demo', []);
  } catch (error) {
    await stage.shot('demo-failed').catch(() => {});
    throw error;
  } finally {
    await stage.end();
  }
});

for (const [name, command, args] of [
  ['node', process.execPath, ['examples/node-agent/agent.mjs']],
  ['python', '/usr/bin/python3', ['examples/python-agent/agent.py']],
] as const) {
  test(`main job with the ${name} example in its own process`, async () => {
    const agent = new Program(command, [...args], { PORT: '0' });
    const stage = makeStage();
    try {
      await mainJob(stage, name, ['--agent', await agent.first]);
    } catch (error) {
      await stage.shot(`${name}-failed`).catch(() => {});
      throw error;
    } finally {
      await stage.end();
      await agent.stop();
    }
  });
}

test('the demo agent by itself, over its own port', async () => {
  test.skip(test.info().project.name !== 'web', 'the same code path as the examples');
  const agent = new Program(bin('lineup'), ['demo-agent', '--port', '0']);
  const stage = makeStage();
  try {
    await stage.start(['--agent', await agent.first]);
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    await send(stage, 'help');
    await until('an answer', async () => /weather/.test(await stage.log()));
  } finally {
    await stage.end();
    await agent.stop();
  }
});
