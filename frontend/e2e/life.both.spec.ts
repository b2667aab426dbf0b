// A surface's life on a page: eight frames run, the others sleep and wake with
// their state; a reload of the page and a restart of the program bring them back.
import { expect, test } from '@playwright/test';
import { TestAgent } from './agent.ts';
import { until, type Stage } from './stage.ts';
import { WebStage } from './webstage.ts';
import { WindowStage } from './windowstage.ts';

const makeStage = (): Stage => (test.info().project.name === 'web' ? new WebStage() : new WindowStage());

const js = `LineUpSurface.onState((s) => { document.querySelector('p').textContent = 'state ' + (s.n ?? '-'); });`;

test('eight run, the rest sleeps, and all come back', async () => {
  const agent = await TestAgent.start();
  const stage = makeStage();
  let conversation = '';
  const frames = () =>
    stage.evaluate<string[]>(
      'return [...document.querySelectorAll("[role=log] iframe")].map((f) => f.title).filter(Boolean)',
    );
  const look = (name: string) =>
    stage.evaluate(
      `document.querySelector('section[aria-label="${name}"]').scrollIntoView({ block: 'center' }); return true`,
    );
  const shows = (name: string, text: string) =>
    until(`${name} shows ${text}`, async () => (await stage.inside(name)).includes(text));
  try {
    await stage.start(['--agent', agent.url, '--bundle-policy', 'any-sandboxed']);
    agent.onEnvelope = ({ conversation_id }) => (conversation ||= conversation_id ?? '');
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    await stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await stage.press('Enter');
    await until('the agent has it', async () => conversation !== '');
    for (let n = 0; n < 12; n++) {
      agent.open(conversation, `app-${n}`, `App ${n}`, { html: '<p>-', js });
      agent.send(conversation, 'ui.patch', { instance_id: `app-${n}`, state: { n } });
    }
    await shows('App 11', 'state 11');
    await until('eight run', async () => (await frames()).length === 8);

    // One that sleeps wakes when it is looked at, with the state it has by then; one out of sight sleeps for it.
    await look('App 0');
    await shows('App 0', 'state 0');
    expect((await frames()).length).toBeLessThanOrEqual(8);
    agent.send(conversation, 'ui.patch', { instance_id: 'app-11', state: { n: 'later' } });
    await look('App 11');
    await shows('App 11', 'state later');

    await stage.reload();
    await shows('App 11', 'state later');
    await stage.crash();
    await stage.start(['--agent', agent.url, '--bundle-policy', 'any-sandboxed']);
    await shows('App 11', 'state later');
    await look('App 3');
    await shows('App 3', 'state 3');

    await stage.click({ role: 'button', name: 'Restart App 3' });
    await shows('App 3', 'state 3');
    await stage.shot('life');
    for (let n = 0; n < 12; n++) agent.send(conversation, 'ui.close', { instance_id: `app-${n}` });
    await until('no frame is left', async () => (await frames()).length === 0);
  } finally {
    await stage.end();
    await agent.stop();
  }
});
