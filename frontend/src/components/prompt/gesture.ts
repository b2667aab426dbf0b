import type { Gesture } from './guard';

/**
 * Remembers where the present press began, so that a click can tell whether its
 * press was under way before the prompt could be answered. Time is event.timeStamp.
 */
export class Presses {
  #pointer: number | null = null;
  #key: { at: number; repeat: boolean; composing: boolean } | null = null;

  pointerdown(event: Pick<PointerEvent, 'timeStamp'>): void {
    this.#pointer = event.timeStamp;
    this.#key = null;
  }

  keydown(event: Pick<KeyboardEvent, 'timeStamp' | 'repeat' | 'isComposing' | 'keyCode'>): void {
    // A held key began when it first went down, wherever the focus was then.
    const at = event.repeat && this.#key ? this.#key.at : event.repeat ? -Infinity : event.timeStamp;
    this.#key = { at, repeat: event.repeat, composing: event.isComposing || event.keyCode === 229 };
    this.#pointer = null;
  }

  /** The gesture behind a click or a key press. A click with neither before it is an assistive one. */
  of(event: Pick<UIEvent, 'isTrusted' | 'timeStamp'>): Gesture {
    const { isTrusted: trusted } = event;
    if (this.#key) {
      const { at, repeat, composing } = this.#key;
      return { trusted, by: 'key', began: at, repeat, composing };
    }
    if (this.#pointer !== null) return { trusted, by: 'pointer', began: this.#pointer };
    return { trusted, by: 'assistive', began: event.timeStamp };
  }

  /** The press ended. */
  end(): void {
    this.#pointer = null;
    this.#key = null;
  }
}
