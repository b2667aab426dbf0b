import { host, type Host, type PreviewFinding } from '$/host';
import { errorCode } from './errors';

/** How long nothing is typed before the validator is asked. */
export const CHECK_AFTER_MS = 250;

/**
 * The state editor of the preview: a text that follows the surface's state until
 * somebody types. Every check is made in Go.
 */
export class StateEditor {
  text = $state('');
  /** Typed in, and not applied. */
  dirty = $state(false);
  /** While it was edited, the state became another one. */
  overtaken = $state(false);
  problems = $state.raw<PreviewFinding[]>([]);
  /** Code of why the state is not there or was not taken; "". */
  error = $state('');
  #instance = '';
  #present = '';
  #round = 0;
  #timer: () => void = () => {};
  readonly #host: Host;
  readonly #after: (ms: number, then: () => void) => () => void;

  constructor(from: Host = host, after = later) {
    this.#host = from;
    this.#after = after;
  }

  /** The surface that is edited; looks at its state, which may have changed. */
  async follow(instance: string): Promise<void> {
    if (instance !== this.#instance) {
      this.#instance = instance;
      this.dirty = false;
      this.problems = [];
    }
    const round = ++this.#round;
    if (!instance) return;
    try {
      const { text = '' } = await this.#host.call('preview.state', { instance_id: instance });
      if (round !== this.#round) return;
      this.error = '';
      const changed = text !== this.#present;
      this.#present = text;
      if (!this.dirty) this.text = text;
      else if (changed) this.overtaken = text !== this.text;
    } catch (error) {
      if (round === this.#round) this.#failed(error);
    }
  }

  /** The text was edited. */
  edit(text: string): void {
    this.text = text;
    this.dirty = text !== this.#present;
    if (!this.dirty) this.overtaken = false;
    this.#timer();
    this.#timer = this.#after(CHECK_AFTER_MS, () => void this.#send(false));
  }

  /** Gives the surface this state, unless it is none. */
  async apply(): Promise<void> {
    this.#timer();
    await this.#send(true);
  }

  /** Back to the state that the surface has. */
  discard(): void {
    this.#timer();
    this.text = this.#present;
    this.dirty = this.overtaken = false;
    this.problems = [];
    this.error = '';
  }

  async #send(apply: boolean): Promise<void> {
    const { text } = this;
    try {
      const params = { instance_id: this.#instance, text, apply };
      const result = await this.#host.call('preview.set_state', params);
      if (text !== this.text) return; // typed on meanwhile
      this.problems = result.problems ?? [];
      this.error = '';
      if (!result.applied) return;
      this.dirty = this.overtaken = false;
      // The host's form of it comes with the next look.
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown) {
    const code = errorCode(error);
    if (code !== 'offline') this.error = code;
  }
}

function later(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

export const stateEditor = new StateEditor();
