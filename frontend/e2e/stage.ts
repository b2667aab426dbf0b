// What a scenario needs of a shell. Both shells are used as a person uses them:
// by roles and names, by pointer and keys.

export interface Place {
  role: string;
  name: string | RegExp;
}

export interface Stage {
  readonly shell: 'web' | 'window';
  /** Starts the program and shows its page. The same data folder finds everything again. */
  start(args?: string[]): Promise<void>;
  /** Kills the program at once. */
  crash(): Promise<void>;
  /** Ends everything. */
  end(): Promise<void>;
  /** Reloads the page. */
  reload(): Promise<void>;

  click(place: Place): Promise<void>;
  type(place: Place, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Waits until there is (or is not) such a thing to see. */
  sees(place: Place): Promise<void>;
  misses(place: Place): Promise<void>;
  count(place: Place): Promise<number>;
  /** All that the conversation's log says. */
  log(): Promise<string>;

  /** Clicks a button inside the surface with this title. */
  clickInside(title: string, button: string): Promise<void>;
  /** What the surface with this title shows. */
  inside(title: string): Promise<string>;

  clipboard(): Promise<string>;
  setClipboard(text: string): Promise<void>;
  shot(name: string): Promise<void>;
  /** Runs a function body in the page. */
  evaluate<T>(body: string): Promise<T>;
}

/** Waits for an outcome. */
export async function until(what: string, ok: () => Promise<boolean>, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    if (await ok().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`did not happen: ${what}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}
