// A publisher's signed interface opens without a question where only such may
// open, and says who made it; one that was tampered with does not.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { integrity, TestAgent } from './agent.ts';
import { until, type Stage } from './stage.ts';
import { WebStage } from './webstage.ts';
import { WindowStage } from './windowstage.ts';

const makeStage = (): Stage => (test.info().project.name === 'web' ? new WebStage() : new WindowStage());

interface Widget {
  id: string;
  version: string;
  name: string;
  events: string[];
  html: string;
}

/** A publisher by docs/PROTOCOL.md and the minisign format alone. */
class Publisher {
  #id = randomBytes(8);
  #key: KeyObject;
  readonly publicKey: string;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.#key = privateKey;
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    this.publicKey = Buffer.concat([Buffer.from('Ed'), this.#id, raw]).toString('base64');
  }

  sign(widget: Widget): string {
    const statement = [
      'lineup.v1 bundle',
      `id: ${widget.id}`,
      `version: ${widget.version}`,
      `name: ${widget.name}`,
      `events: ${widget.events.join(' ')}`,
      'host_styles: false',
      `integrity: ${integrity(widget.html, '', '')}`,
    ];
    const hash = createHash('blake2b512')
      .update(statement.map((line) => line + '\n').join(''))
      .digest();
    const signature = sign(null, hash, this.#key);
    const comment = 'timestamp:1700000000';
    const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), this.#key);
    const first = Buffer.concat([Buffer.from('ED'), this.#id, signature]).toString('base64');
    return `untrusted comment: test\n${first}\ntrusted comment: ${comment}\n${global.toString('base64')}\n`;
  }
}

const widget: Widget = {
  id: 'com.example.counter',
  version: '1.0.0',
  name: 'Counter',
  events: ['press'],
  html: '<p>genuine</p><button>Press</button>',
};

test('a trusted signature opens without asking and is verified; a tampered one is refused', async () => {
  const agent = await TestAgent.start();
  const acme = new Publisher();
  const stage = makeStage();
  try {
    await stage.start(['--agent', agent.url, '--bundle-policy', 'allowlisted']);
    await stage.click({ role: 'button', name: 'Skip' });

    // The user pastes the publisher's key.
    await stage.click({ role: 'button', name: 'Settings' });
    await stage.click({ role: 'button', name: 'Add a publisher’s key' });
    await stage.type({ role: 'textbox', name: 'Public key (minisign)' }, acme.publicKey);
    await stage.click({ role: 'button', name: 'Trust this publisher' });
    await until('it wants a name', async () =>
      (await stage.evaluate<string>('return document.body.textContent')).includes(
        '1 to 64 visible characters',
      ),
    );
    await stage.type({ role: 'textbox', name: 'Name' }, 'Acme');
    await stage.click({ role: 'button', name: 'Trust this publisher' });
    await stage.sees({ role: 'button', name: 'Remove the key of Acme' });
    await stage.shot('trusted');

    await stage.click({ role: 'button', name: 'New conversation' });
    const signature = acme.sign(widget);
    agent.onEnvelope = ({ type, conversation_id = '' }) => {
      if (type !== 'lineup.v1.message') return;
      const tampered = { ...widget, name: 'Tampered', signature };
      agent.send(conversation_id, 'ui.open', { instance_id: 'bad', app: tampered });
      agent.send(conversation_id, 'ui.open', { instance_id: 'good', app: { ...widget, signature } });
    };
    await stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await stage.press('Enter');
    await until('the genuine one is shown', async () => (await stage.inside('Counter')).includes('genuine'));
    expect(await stage.log()).toContain('Verified');

    await stage.click({ role: 'button', name: 'What can this do?' });
    await until('it says what was checked', async () =>
      (await stage.evaluate<string>('return document.body.textContent')).includes('Signed by Acme'),
    );
    await stage.shot('verified');
    await stage.misses({ role: 'button', name: 'Allow this exact interface' });
    await stage.press('Escape');

    const results = () =>
      agent.received.filter((e) => e.type === 'lineup.v1.ui.result').map(({ payload }) => payload);
    await until('both are answered', async () => results().length === 2);
    expect(results()).toMatchObject([
      { instance_id: 'bad', status: 'refused', code: 'signature' },
      { instance_id: 'good', status: 'ok' },
    ]);
    await stage.misses({ role: 'alertdialog', name: /wants to/ });
    expect(await stage.log()).toContain('Its signature is not right.');
  } finally {
    await stage.end();
    await agent.stop();
  }
});

test('an exact interface is allowed by a click, shown in the settings and removed there', async () => {
  const agent = await TestAgent.start();
  const stage = makeStage();
  try {
    await stage.start(['--agent', agent.url, '--bundle-policy', 'any-sandboxed']);
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    agent.onEnvelope = ({ type, conversation_id }) => {
      if (type === 'lineup.v1.message')
        agent.open(conversation_id ?? '', 'c', 'Counter', { html: '<p>shown</p>' });
    };
    await stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await stage.press('Enter');
    await until('it is shown', async () => (await stage.inside('Counter')).includes('shown'));
    expect(await stage.log()).toContain('Developer');
    await stage.click({ role: 'button', name: 'What can this do?' });
    await stage.click({ role: 'button', name: 'Allow this exact interface' });
    await until('the mark follows', async () => (await stage.log()).includes('Unverified'));
    await stage.click({ role: 'button', name: 'Settings' });
    const remove = { role: 'button', name: 'Remove Counter of Test agent' };
    await stage.sees(remove);
    await until('the toast is gone, which lies over the button', async () => {
      const text = await stage.evaluate<string>('return document.body.textContent');
      return !text.includes('is allowed for this agent');
    });
    await stage.click(remove);
    await stage.misses(remove);
  } finally {
    await stage.end();
    await agent.stop();
  }
});
