import type { FakeHost } from './fakehost.ts';
import { prompt } from './sample.ts';

/** What the fake agent does with a message. "prompt" asks for something, anything else streams an answer. */
export function play(fake: FakeHost, conversationID: string, clientID: string, text: string) {
  const pos = Date.now();
  fake.item(conversationID, {
    id: clientID,
    pos,
    kind: 'message',
    from: 'user',
    at: pos,
    message: { blocks: [], blocks_from: 0, streaming: false, text },
  });
  const row = fake.state.snapshot.conversations.find((other) => other.id === conversationID);
  fake.row(conversationID, {
    state: 'working',
    updated_at: pos,
    preview: text,
    title: row?.title || text.slice(0, 40),
    draft: '',
  });
  if (/prompt/i.test(text)) {
    const one = { ...prompt(`prompt-${pos}`), conversation_id: conversationID, created_at: pos };
    fake.setPrompts([...fake.state.snapshot.prompts, one]);
    return;
  }
  stream(fake, conversationID, pos + 1);
}

const answer = [
  'Here is a short plan, so that you can say what to change before I start.',
  'I read the three files you named and compared them line by line. Two of them differ only in white space.',
  'Say the word and I will write the summary into a file.',
];

function stream(fake: FakeHost, conversationID: string, pos: number) {
  const words = answer.map((text) => text.split(' '));
  let block = 0;
  let count = 0;
  const timer = setInterval(() => {
    const line = words[block];
    const row = fake.state.snapshot.conversations.find((other) => other.id === conversationID);
    const done = !line || row?.state !== 'working';
    if (line && ++count > line.length) {
      block++;
      count = 1;
    }
    const blocks = words.slice(0, block + 1).map((shown, i) => ({
      html: `<p>${(i < block || done ? shown : shown.slice(0, count)).join(' ')}</p>`,
    }));
    fake.item(conversationID, {
      id: `answer-${pos}`,
      pos,
      kind: 'message',
      from: 'agent',
      at: pos,
      message: { blocks, blocks_from: 0, streaming: !done },
    });
    if (!done) return;
    clearInterval(timer);
    if (row?.state === 'working') fake.row(conversationID, { state: 'idle', preview: answer[0] });
  }, 60);
}
