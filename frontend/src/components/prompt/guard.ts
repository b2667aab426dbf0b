// When a prompt may be answered, and by what (UX §3, rules 1, 2, 3 and 8). No
// DOM and no timers of its own: the clock, and the word with the host, come in.
//
// Order that holds: disturb() → the host knows (and keeps its own clock) → QUIET_MS pass with no
// further disturbance → answers are taken. A press that began before that moment
// answers nothing, however late it ends.

/** How long all input is ignored after the prompt appeared or anything about it changed. */
export const QUIET_MS = 500;

export type Disturbance = 'appeared' | 'moved' | 'changed' | 'uncovered' | 'window_focus' | 'refused';

/** Where a decision came from. */
export interface Gesture {
  /** The event's own isTrusted: made by the user agent, not by script. */
  trusted: boolean;
  /**
   * "key" is a key press on a button that has focus; "pointer" is a press on
   * it; "assistive" is a click with neither (a screen reader's action).
   */
  by: 'pointer' | 'key' | 'assistive';
  /** When the press began (pointerdown, keydown), on the guard's clock. */
  began: number;
  /** A key that is held down. */
  repeat?: boolean;
  /** A key that belongs to an input method's composition. */
  composing?: boolean;
}

export type Verdict =
  { ok: true } | { ok: false; why: 'quiet' | 'hidden' | 'untrusted' | 'not_on_purpose' | 'busy' };

export interface GuardOptions {
  /** Milliseconds on a monotonic clock (event.timeStamp's own). */
  now(): number;
  /** Tells the host that the prompt is to be seen anew; resolves once it knows. */
  shown(): Promise<void>;
  /** Something that can be seen changed: ready() or settled(). */
  changed?(): void;
  /** Calls back after ms; returns what cancels it. */
  after(ms: number, then: () => void): () => void;
}

export class PromptGuard {
  readonly #options: GuardOptions;
  /** When answers start to count; infinite until the host knows. */
  #openAt = Number.POSITIVE_INFINITY;
  /** Grows at each disturbance, so that a late reply to an earlier one is dropped. */
  #round = 0;
  #hidden = false;
  #busy = false;
  #onPurpose = false;
  #cancel: () => void = () => {};

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** The prompt appeared, moved, changed or can be seen again: the quiet time starts anew. */
  disturb(what: Disturbance): void {
    const round = ++this.#round;
    this.#openAt = Number.POSITIVE_INFINITY;
    this.#cancel();
    // A focus that was put on a button of what stood here before is no purpose
    // for what stands here now.
    if (what === 'appeared' || what === 'changed') this.#onPurpose = false;
    this.#options.changed?.();
    if (this.#hidden || this.#busy) return;
    this.#options.shown().then(
      () => {
        if (round !== this.#round) return;
        // Counted from the host's reply, which is later than the host's own
        // clock start: so the host never finds an answer too soon.
        this.#openAt = this.#options.now() + QUIET_MS;
        this.#cancel = this.#options.after(QUIET_MS, () => this.#options.changed?.());
      },
      () => {
        // The socket went away: the page asks again when it is back.
      },
    );
  }

  /** Covered, scrolled away, or the window is not in front. Uncovering disturbs. */
  hide(): void {
    if (this.#hidden) return;
    this.#hidden = true;
    this.#round++;
    this.#openAt = Number.POSITIVE_INFINITY;
    this.#cancel();
    this.#options.changed?.();
  }

  uncover(what: Disturbance = 'uncovered'): void {
    if (!this.#hidden) return;
    this.#hidden = false;
    this.disturb(what);
  }

  /** The user moved focus onto a button: with Tab, an arrow or a press. */
  focusMoved(onto: 'button' | 'card' | 'outside'): void {
    this.#onPurpose = onto === 'button';
  }

  setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#options.changed?.();
  }

  /** Whether a grant would be taken now, for the look of the buttons. */
  ready(): boolean {
    return !this.#hidden && !this.#busy && this.#options.now() >= this.#openAt;
  }

  /** Whether this gesture on a granting button decides. */
  grant(gesture: Gesture): Verdict {
    const refused = this.#refusal(gesture);
    if (refused) return refused;
    if (gesture.by === 'key' && !this.#onPurpose) return { ok: false, why: 'not_on_purpose' };
    return { ok: true };
  }

  /** Whether this gesture on "Don't allow", or Esc inside the card, decides. */
  deny(gesture: Gesture): Verdict {
    const refused = this.#refusal(gesture);
    return refused ?? { ok: true };
  }

  #refusal(gesture: Gesture): Verdict | null {
    if (!gesture.trusted || gesture.repeat === true || gesture.composing === true) {
      return { ok: false, why: 'untrusted' };
    }
    if (this.#busy) return { ok: false, why: 'busy' };
    if (this.#hidden) return { ok: false, why: 'hidden' };
    if (gesture.began < this.#openAt || this.#options.now() < this.#openAt) {
      return { ok: false, why: 'quiet' };
    }
    return null;
  }

  /** Ends the guard: nothing is taken any more. */
  stop(): void {
    this.hide();
  }
}
