// A browser runs sandboxed frames in a process apart from the page's: when one
// hangs, the page goes on, and the surfaces of that process are stopped.
import { expect, test } from '@playwright/test';
import { TestAgent } from './agent.ts';
import { until } from './stage.ts';
import { WebStage } from './webstage.ts';

test('a frame that hangs is stopped, and the page goes on', async () => {
  const agent = await TestAgent.start();
  const stage = new WebStage();
  let conversation = '';
  try {
    await stage.start(['--agent', agent.url, '--bundle-policy', 'any-sandboxed']);
    agent.onEnvelope = ({ conversation_id }) => (conversation ||= conversation_id ?? '');
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    await stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await stage.press('Enter');
    await until('the agent has it', async () => conversation !== '');
    const js = `LineUpSurface.onState((s) => { if (s.go) setTimeout(() => { for (;;); }, 100); });`;
    agent.open(conversation, 'guilty', 'Guilty', { html: '<p>Guilty', js });
    agent.open(conversation, 'innocent', 'Innocent', {
      html: '<button>Count</button>',
      js: `document.querySelector('button').onclick = () => LineUpSurface.event('count', {});`,
    });
    await until('both run', async () => (await stage.inside('Guilty')).includes('Guilty'));
    agent.send(conversation, 'ui.patch', { instance_id: 'guilty', state: { go: true } });
    await until('it is stopped', async () => /stopped responding/.test(await stage.log()));
    expect(await stage.page.locator('iframe[title="Guilty"]').count()).toBe(0);
    if ((await stage.page.locator('iframe[title="Innocent"]').count()) === 0)
      await stage.click({ role: 'button', name: 'Restart Innocent' });
    await stage.clickInside('Innocent', 'Count');
    await until('the other goes on', async () => agent.received.some((e) => e.payload.event === 'count'));
  } finally {
    await stage.end();
    await agent.stop();
  }
});
