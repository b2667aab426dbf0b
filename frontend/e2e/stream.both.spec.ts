// What is lost and found again: the page, the agent's connection, the host.
import { expect, test } from '@playwright/test';
import { TestAgent } from './agent.ts';
import { until, type Stage } from './stage.ts';
import { WebStage } from './webstage.ts';
import { WindowStage } from './windowstage.ts';

const makeStage = (): Stage => (test.info().project.name === 'web' ? new WebStage() : new WindowStage());
const words = Array.from({ length: 120 }, (_, i) => `word${i}.`);

test('a stream survives a reload, a broken connection and a crash: nothing lost, nothing twice', async () => {
  const agent = await TestAgent.start();
  const stage = makeStage();
  try {
    await stage.start(['--agent', agent.url]);
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    let conversation = '';
    agent.onEnvelope = (envelope) => {
      conversation ||= envelope.conversation_id ?? '';
    };
    const message = { role: 'textbox', name: 'Message' };
    await stage.type(message, 'stream please');
    await stage.press('Enter');
    await until('the agent has it', async () => conversation !== '');

    const say = (from: number, to: number) => {
      for (const word of words.slice(from, to))
        agent.send(conversation, 'message.delta', { message_id: 'm', delta: word + ' ' });
    };
    say(0, 30);
    await until('it streams', async () => (await stage.log()).includes('word29.'));
    say(30, 35);
    await stage.reload();
    say(35, 60);
    await until('after the reload', async () => (await stage.log()).includes('word59.'));

    say(60, 65);
    const before = agent.connections;
    agent.drop();
    say(65, 80); // said while nobody listens
    await until('the host is back', async () => agent.connections > before);
    await until('after the break', async () => (await stage.log()).includes('word79.'));

    say(80, 90);
    await stage.crash();
    say(90, 100);
    await stage.start(['--agent', agent.url]);
    say(100, 120);
    agent.send(conversation, 'message.end', { message_id: 'm' });
    await until('the end', async () => (await stage.log()).includes('word119.'));
    const log = await stage.log();
    expect(log.match(/word\d+\./g)).toEqual(words);

    // What the user says while the agent is away reaches it once, in order.
    await agent.stop();
    for (const text of ['first while away', 'second while away']) {
      await stage.type(message, text);
      await stage.press('Enter');
      await until('it is in the log', async () => (await stage.log()).includes(text));
    }
    await stage.shot('offline');
    expect(agent.received.filter((e) => e.type === 'lineup.v1.message')).toHaveLength(1);
  } catch (error) {
    await stage.shot('stream-failed').catch(() => {});
    throw error;
  } finally {
    await stage.end();
    await agent.stop().catch(() => {});
  }
});
