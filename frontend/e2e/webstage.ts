import {
  chromium,
  expect,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test';
import { join } from 'node:path';
import { artifacts, bin, Program, tempDir } from './lineup.ts';
import { until, type Place, type Stage } from './stage.ts';

const flags = [
  '--no-sandbox', // the tests run as root on CI
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
  locale?: string;
  reducedMotion?: boolean;
  /** What `lineup preview` shows, instead of `lineup web`. */
  preview?: string;
}

/** `lineup web` in Chromium. */
export class WebStage implements Stage {
  readonly shell = 'web';
  readonly data = tempDir();
  page!: Page;
  context!: BrowserContext;
  program!: Program;
  #browser!: Browser;
  readonly #look: Look;

  readonly #build: string;

  constructor(look: Look = {}, build = 'lineup') {
    this.#look = look;
    this.#build = build;
  }

  async start(args: string[] = []): Promise<void> {
    const { preview } = this.#look;
    const start = preview ? ['preview', preview, '--web'] : ['web', '--data', this.data.path];
    this.program = new Program(bin(this.#build), [...start, '--no-open', ...args]);
    const { url } = JSON.parse(await this.program.first) as { url: string };
    this.#browser ??= await chromium.launch({
      executablePath: process.env.LINEUP_CHROMIUM ?? '/usr/bin/chromium',
      args: flags,
    });
    await this.context?.close();
    const { width = 1440, height = 900, dark, locale = 'en-GB', reducedMotion } = this.#look;
    this.context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
      locale,
    });
    await this.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: new URL(url).origin,
    });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(20_000);
    await this.page.goto(url);
  }
  async crash() {
    await this.program.kill();
  }
  async end() {
    await this.#browser?.close();
    await this.program?.stop();
    this.data.remove();
  }
  async reload() {
    await this.page.reload();
  }

  at({ role, name }: Place): Locator {
    const exact = typeof name === 'string';
    return this.page.getByRole(role as Parameters<Page['getByRole']>[0], { name, exact });
  }
  async click(place: Place) {
    // Like a person, who waits until a button looks ready.
    await this.at(place).and(this.page.locator(':not([aria-disabled="true"])')).last().click();
  }
  async type(place: Place, text: string) {
    await this.at(place).last().click();
    await this.page.keyboard.insertText(text);
  }
  async press(key: string) {
    await this.page.keyboard.press(key);
  }
  async sees(place: Place) {
    await expect(this.at(place).last()).toBeVisible();
  }
  async misses(place: Place) {
    await expect(this.at(place)).toHaveCount(0);
  }
  async count(place: Place) {
    return this.at(place).count();
  }
  async log() {
    return this.page
      .getByRole('log', { name: /^(Conversation|对话)$/ })
      .evaluate((log) => log.textContent ?? '');
  }

  #frame(title: string) {
    return this.page.locator(`iframe[title="${title}"]`).last().contentFrame();
  }
  async clickInside(title: string, button: string) {
    // A person does not press what still moves; a frame's own check cannot see its page scroll.
    const box = async () =>
      JSON.stringify(await this.page.locator(`iframe[title="${title}"]`).last().boundingBox());
    let last = '';
    await until('the frame stands still', async () => {
      const before = last;
      last = await box();
      await this.page.waitForTimeout(100);
      return last !== 'null' && last === before;
    });
    await this.#frame(title).getByRole('button', { name: button, exact: true }).click();
  }
  /** Asked again and again: a frame that is replaced meanwhile is not waited for. */
  async inside(title: string) {
    return this.#frame(title).locator('body').innerText({ timeout: 3000 });
  }

  async clipboard() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
  async setClipboard(text: string) {
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), text);
  }
  async shot(name: string) {
    await this.page.screenshot({ path: join(artifacts, `web-${name}.png`) });
  }
  async evaluate<T>(body: string): Promise<T> {
    return this.page.evaluate(`(async () => { ${body} })()`);
  }
}
