import { execFileSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { test } from '@playwright/test';
import { TestAgent } from '../agent.ts';
import { until, type Stage } from '../stage.ts';
import { WebStage } from '../webstage.ts';
import { WindowStage } from '../windowstage.ts';

export interface Memory {
  /** Bytes: the program's live heap, its size, and the size of its web processes or of the browser. */
  heap: number;
  rss: number;
  web: number;
}

function browserSize(): number {
  const list = execFileSync('ps', ['-C', 'chromium', '-o', 'rss=']).toString();
  return list.split(/\s+/).reduce((sum, kb) => sum + Number(kb) * 1024, 0);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Wall clock with fractions of a millisecond, comparable with the page's. */
export const now = (): number => performance.timeOrigin + performance.now();

/** A host in one of the shells with an open conversation, and what a benchmark asks it. */
export class BenchStage {
  readonly stage: Stage;
  agent!: TestAgent;
  conversation = '';
  #bench = '';

  constructor() {
    this.stage =
      test.info().project.name === 'bench-web' ? new WebStage({}, 'lineup-driver') : new WindowStage();
  }

  async start() {
    this.#bench = `127.0.0.1:${await freePort()}`;
    process.env.LINEUP_BENCH = this.#bench;
    this.agent = await TestAgent.start();
    await this.stage.start(['--agent', this.agent.url, '--bundle-policy', 'any-sandboxed']);
    this.agent.onEnvelope = ({ conversation_id }) => (this.conversation ||= conversation_id ?? '');
    await this.stage.click({ role: 'button', name: 'Skip' });
    await this.stage.click({ role: 'button', name: 'New conversation' });
    await this.stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await this.stage.press('Enter');
    await until('the agent has it', async () => this.conversation !== '');
    await until('surfaces may be shown', async () =>
      this.stage.evaluate<boolean>(
        'return document.querySelectorAll("[data-kind=surface] iframe").length === 1',
      ),
    );
  }
  async end() {
    await this.stage.end();
    await this.agent.stop();
  }

  /** A document on the surface origin, under a surface's headers, with nothing of ours in it. */
  async issue(doc: string): Promise<string> {
    const reply = await fetch(`http://${this.#bench}/issue`, {
      method: 'POST',
      body: JSON.stringify({ doc }),
    });
    return ((await reply.json()) as { url: string }).url;
  }
  async memory(): Promise<Memory> {
    const memory = (await (await fetch(`http://${this.#bench}/memory`)).json()) as Memory;
    // A browser is not the program's child. All its processes, so that none can hide.
    return this.stage.shell === 'web' ? { ...memory, web: browserSize() } : memory;
  }
  open(id: string, parts: { html: string; css?: string; js?: string }) {
    return this.agent.open(this.conversation, id, id, parts);
  }
  patch(instance_id: string, state: object) {
    return this.agent.send(this.conversation, 'ui.patch', { instance_id, state });
  }
  close(instance_id: string) {
    return this.agent.send(this.conversation, 'ui.close', { instance_id });
  }
  answered(to: string) {
    return until(
      `an answer to ${to}`,
      async () => this.agent.received.some((e) => e.reply_to === to),
      60_000,
    );
  }
  /** Waits until a spare frame stands ready, which is what a user's second surface finds. */
  async rested() {
    await until('a spare frame is there', () =>
      this.stage.evaluate<boolean>('return document.querySelectorAll(".spare iframe").length === 1'),
    );
    await new Promise((done) => setTimeout(done, 300));
  }
}
