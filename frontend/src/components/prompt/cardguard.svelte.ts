import { prompts, type Decision } from '$/state/prompts.svelte';
import { errorCode } from '$/state/errors';
import { Presses } from './gesture';
import { PromptGuard } from './guard';

/** The guard of one card, tied to the page: what disturbs it, and what it lets through. */
export class CardGuard {
  /** Whether an answer would be taken now. */
  ready = $state(false);
  /** Code of why the last answer was not taken. */
  failed = $state('');
  /** An answer is on its way. */
  sending = $state(false);
  readonly #id: string;
  readonly #guard: PromptGuard;
  readonly #presses = new Presses();
  #card: HTMLElement | null = null;
  #seen = '';

  constructor(id: string) {
    this.#id = id;
    this.#guard = new PromptGuard({
      now: () => performance.now(),
      shown: () => prompts.shown(id),
      changed: () => (this.ready = this.#guard.ready()),
      after: (ms, then) => {
        const timer = setTimeout(then, ms);
        return () => clearTimeout(timer);
      },
    });
  }

  /** Watches the card for all that starts the quiet time anew. */
  attach = (card: HTMLElement) => {
    this.#card = card;
    const end = new AbortController();
    const { signal } = end;
    const disturb = (what: Parameters<PromptGuard['disturb']>[0]) => () => this.#disturb(what);
    const visible = () => (document.hidden ? this.#guard.hide() : this.#guard.uncover());
    watchFocus(disturb('window_focus'), signal);
    window.addEventListener('resize', disturb('moved'), { signal });
    document.addEventListener('visibilitychange', visible, { signal });
    // Capture, and on the window: a press that began elsewhere counts as begun.
    const capture = { signal, capture: true };
    window.addEventListener('pointerdown', (event) => this.#presses.pointerdown(event), capture);
    window.addEventListener('keydown', (event) => this.#presses.keydown(event), capture);
    window.addEventListener('keyup', () => setTimeout(() => this.#presses.end()), capture);
    window.addEventListener('pointerup', () => setTimeout(() => this.#presses.end()), capture);
    card.addEventListener('focusin', (event) => this.#focused(event.target), { signal });
    card.addEventListener('focusout', () => this.#guard.focusMoved('outside'), { signal });
    // A card that slides in has moved when it has arrived; no observer tells of a transform.
    for (const end of ['animationend', 'transitionend'])
      card.addEventListener(end, () => this.#moved(), { signal });
    const sizes = new ResizeObserver(() => this.#moved());
    sizes.observe(card);
    if (document.hidden) this.#guard.hide();
    this.#seen = place(card);
    this.#guard.disturb('appeared');
    return () => {
      end.abort();
      sizes.disconnect();
      this.#guard.stop();
      this.#card = null;
    };
  };

  /** What the card shows became something else. */
  changed(): void {
    this.#disturb('changed');
  }

  busy(busy: boolean): void {
    this.#guard.setBusy(busy);
  }

  async grant(event: UIEvent, decision: Exclude<Decision, 'deny'>): Promise<void> {
    if (this.#sameplace() && this.#guard.grant(this.#presses.of(event)).ok) await this.#decide(decision);
  }

  async deny(event: UIEvent): Promise<void> {
    if (this.#sameplace() && this.#guard.deny(this.#presses.of(event)).ok) await this.#decide('deny');
  }

  async #decide(decision: Decision): Promise<void> {
    this.sending = true;
    this.failed = '';
    this.#guard.setBusy(true);
    try {
      await prompts.decide(this.#id, decision);
      // The card goes, or turns busy, with the host's next update.
    } catch (error) {
      this.failed = errorCode(error);
      this.#guard.setBusy(false);
      this.#guard.disturb('refused');
    } finally {
      this.sending = false;
    }
  }

  #focused(target: EventTarget | null): void {
    const button = target instanceof Element && target.closest('button, [role^="menuitem"]') !== null;
    this.#guard.focusMoved(button ? 'button' : 'card');
  }

  #moved(): void {
    if (!this.#card || place(this.#card) === this.#seen) return;
    this.#disturb('moved');
  }

  /** A card that moved without our noticing is noticed at the press. */
  #sameplace(): boolean {
    if (this.#card && place(this.#card) === this.#seen) return true;
    this.#disturb('moved');
    return false;
  }

  #disturb(what: Parameters<PromptGuard['disturb']>[0]): void {
    if (this.#card) this.#seen = place(this.#card);
    this.#guard.disturb(what);
  }
}

/**
 * Calls back when the whole window has come to the front again. A window's own
 * focus event also comes when the focus returns from a frame, which is no such thing.
 */
function watchFocus(returned: () => void, signal: AbortSignal): void {
  let had = document.hasFocus();
  const look = () => {
    const has = document.hasFocus();
    if (has && !had) returned();
    had = has;
  };
  window.addEventListener('focus', look, { signal });
  window.addEventListener('blur', () => setTimeout(look), { signal });
  // While a frame has the focus, the page hears nothing of the window's.
  const often = setInterval(look, 200);
  signal.addEventListener('abort', () => clearInterval(often));
}

function place(card: HTMLElement): string {
  const { left, top, width, height } = card.getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join();
}
