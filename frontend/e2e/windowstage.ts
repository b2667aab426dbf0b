import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { artifacts, bin, Program, tempDir, weakEnv } from './lineup.ts';
import { until, type Place, type Stage } from './stage.ts';

const library = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.js'),
  'utf8',
);

interface Inside {
  text: string;
  buttons: { name: string; x: number; y: number }[];
}

/** The real window under Xvfb, by the driver of a test build. */
export class WindowStage implements Stage {
  readonly shell = 'window';
  readonly data = tempDir();
  program!: Program;
  #driver = '';
  readonly #weaken: string[];

  /** With defences that are switched off it is another program, made for that. */
  constructor(weaken: string[] = []) {
    this.#weaken = weaken;
  }

  async start(args: string[] = []): Promise<void> {
    this.program = new Program(
      bin(this.#weaken.length > 0 ? 'lineup-weak' : 'lineup-driver'),
      // A preview has a folder of its own, and throws it away.
      [...(args[0] === 'preview' ? [] : ['--data', this.data.path]), ...args],
      weakEnv(this.#weaken),
    );
    this.#driver = (JSON.parse(await this.program.first) as { driver: string }).driver;
    await until('the page is there', async () =>
      this.evaluate<boolean>('return !!document.querySelector("#app *")'),
    );
  }
  async crash() {
    await this.program.kill();
  }
  async end() {
    await this.program?.stop();
    this.data.remove();
  }
  async reload() {
    await this.#post('/reload');
  }

  async killWebProcess() {
    await this.#post('/kill-web-process');
  }

  async #post(path: string, body: unknown = {}): Promise<Response> {
    return fetch(this.#driver + path, { method: 'POST', body: JSON.stringify(body) });
  }
  async messages(): Promise<string[]> {
    return (await (await fetch(this.#driver + '/messages')).json()) as string[];
  }
  async evaluate<T>(body: string): Promise<T> {
    const reply = (await (await this.#post('/eval', { js: body })).json()) as { value?: T; error?: string };
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value as T;
  }
  /** Runs a body in which `all(role, name)` finds what a person would. */
  async #find<T>(body: string, { role, name }: Place): Promise<T> {
    const wanted =
      typeof name === 'string'
        ? JSON.stringify(name)
        : `new RegExp(${JSON.stringify(name.source)}, ${JSON.stringify(name.flags)})`;
    if (!(await this.evaluate<boolean>('return !!window.TestingLibraryDom'))) {
      await this.evaluate(
        `${library}; window.TestingLibraryDom ??= globalThis.TestingLibraryDom; return true`,
      );
    }
    return this.evaluate<T>(
      `const all = TestingLibraryDom.queryAllByRole(document.body, ${JSON.stringify(role)}, { name: ${wanted} })
         .filter((e) => e.checkVisibility?.() ?? true); ${body}`,
    );
  }
  /** The middle of the last such thing, once it can be seen and stands still. */
  async #middle(place: Place): Promise<{ x: number; y: number }> {
    let last = '';
    let at = { x: 0, y: 0 };
    await until(`${place.role} "${place.name}" stands still`, async () => {
      at = await this.#find<{ x: number; y: number }>(
        `const e = all.at(-1); e.scrollIntoView({ block: 'nearest' }); const r = e.getBoundingClientRect();
         return { x: r.x + r.width / 2, y: r.y + r.height / 2 }`,
        place,
      );
      const same = last === JSON.stringify(at);
      last = JSON.stringify(at);
      return same;
    });
    return at;
  }

  async click(place: Place) {
    await until(`${place.role} "${place.name}" can be pressed`, () =>
      this.#find<boolean>(
        'return all.length > 0 && all.at(-1).getAttribute("aria-disabled") !== "true"',
        place,
      ),
    );
    await this.#post('/click', await this.#middle(place));
  }
  async type(place: Place, text: string) {
    await this.click(place);
    await until('the field has the focus', () =>
      this.#find<boolean>('return all.at(-1) === document.activeElement', place),
    );
    await this.#post('/type', { text });
    await until('the text is in the field', () =>
      this.#find<boolean>(`return (all.at(-1).value ?? '').endsWith(${JSON.stringify(text)})`, place),
    );
  }
  async press(key: string) {
    await this.#post('/key', { key: key === 'Enter' ? 'Return' : key });
  }
  async sees(place: Place) {
    await until(`see ${place.role} "${place.name}"`, async () => (await this.count(place)) > 0);
  }
  async misses(place: Place) {
    await until(`miss ${place.role} "${place.name}"`, async () => (await this.count(place)) === 0);
  }
  async count(place: Place) {
    return this.#find<number>('return all.length', place);
  }
  async log() {
    return this.#find<string>('return all.at(-1).textContent', {
      role: 'log',
      name: /^(Conversation|对话)$/,
    });
  }

  /** Asks the driver's own script inside the frame; no page can reach it in a shipped build. */
  async #inside(title: string): Promise<Inside & { left: number; top: number }> {
    return this.evaluate(`
      const f = [...document.querySelectorAll('iframe')].filter((f) => f.title === ${JSON.stringify(title)}).at(-1);
      if (!f) throw new Error('no such frame');
      f.scrollIntoView({ block: 'nearest' });
      const reply = await new Promise((done, fail) => {
        const late = setTimeout(() => fail(new Error('the frame does not answer')), 2000);
        const hear = (e) => {
          if (e.source !== f.contentWindow || e.data?.lineupDriver !== 'reply') return;
          removeEventListener('message', hear); clearTimeout(late); done(e.data);
        };
        addEventListener('message', hear);
        f.contentWindow.postMessage({ lineupDriver: 'ask' }, '*');
      });
      const r = f.getBoundingClientRect();
      return { text: reply.text, buttons: reply.buttons, left: r.x, top: r.y };`);
  }
  async clickInside(title: string, button: string) {
    let last = '';
    let at: { x: number; y: number } | undefined;
    await until(`button "${button}" in ${title} stands still`, async () => {
      const frame = await this.#inside(title);
      const found = frame.buttons.find((b) => b.name === button);
      at = found && { x: frame.left + found.x, y: frame.top + found.y };
      const before = last;
      last = JSON.stringify(at);
      await new Promise((next) => setTimeout(next, 150));
      return at !== undefined && last === before;
    });
    await this.#post('/click', at);
  }
  async inside(title: string) {
    return (await this.#inside(title)).text;
  }

  async clipboard() {
    return ((await (await fetch(this.#driver + '/clipboard')).json()) as { text: string }).text;
  }
  async setClipboard(text: string) {
    await this.#post('/clipboard', { text });
  }
  async shot(name: string) {
    const png = await (await fetch(this.#driver + '/screenshot')).arrayBuffer();
    writeFileSync(join(artifacts, `window-${name}.png`), Buffer.from(png));
  }
}
