// A surface beside the conversation and on the whole window is the same frame:
// it is never moved, so it is never loaded anew. Closing says so once.
import { expect, test } from '@playwright/test';
import { TestAgent } from './agent.ts';
import { until, type Stage } from './stage.ts';
import { WebStage } from './webstage.ts';
import { WindowStage } from './windowstage.ts';

const makeStage = (): Stage => (test.info().project.name === 'web' ? new WebStage() : new WindowStage());

const js = `
  let n = 0;
  const button = document.querySelector('button');
  button.onclick = () => { document.querySelector('p').textContent = 'pressed ' + ++n; LineUpSurface.event('press', { n }); };
`;

test('expand, full screen and back keep the frame; close is told once', async () => {
  const agent = await TestAgent.start();
  const stage = makeStage();
  try {
    await stage.start(['--agent', agent.url, '--bundle-policy', 'any-sandboxed']);
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    agent.onEnvelope = ({ type, conversation_id }) => {
      if (type === 'lineup.v1.message')
        agent.open(conversation_id ?? '', 'counter', 'Counter', {
          html: '<p>new</p><button>Press</button>',
          js,
        });
    };
    await stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await stage.press('Enter');
    await until('the counter is there', async () => (await stage.inside('Counter')).includes('new'));
    // What the frame keeps for itself would be gone if it had been loaded again.
    await stage.clickInside('Counter', 'Press');
    await until('pressed once', async () => (await stage.inside('Counter')).includes('pressed 1'));
    await stage.click({ role: 'button', name: 'Expand Counter' });
    await stage.shot('expanded');
    await stage.clickInside('Counter', 'Press');
    await until('pressed twice', async () => (await stage.inside('Counter')).includes('pressed 2'));
    await stage.click({ role: 'button', name: 'Full screen' });
    await stage.shot('fullscreen');
    await stage.clickInside('Counter', 'Press');
    await until('pressed three times', async () => (await stage.inside('Counter')).includes('pressed 3'));
    await stage.press('Escape');
    await stage.clickInside('Counter', 'Press');
    await until('pressed four times', async () => (await stage.inside('Counter')).includes('pressed 4'));
    const presses = () =>
      agent.received.filter((e) => e.payload.event === 'press').map((e) => e.payload.data);
    await until('the agent has heard all', async () => presses().length === 4);
    expect(presses()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await stage.click({ role: 'button', name: 'Close Counter' });
    await until('the agent hears it', async () => agent.received.some((e) => e.payload.event === 'close'));
    await stage.misses({ role: 'button', name: 'Close Counter' });
    expect(agent.received.filter((e) => e.payload.event === 'close')).toHaveLength(1);
  } finally {
    await stage.end();
    await agent.stop();
  }
});
