// Where the reader is in the log, and where the view goes when it grows (UX §4):
// it follows the end only while the reader is at the end, and otherwise keeps
// the line the reader looks at where it is. Pure: numbers in, numbers out.

/** How near to the end counts as the end, in CSS px: less than a line. */
export const END_SLACK = 24;
/** From here on upwards, older items are asked for. */
export const OLDER_AT = 600;

export interface View {
  top: number;
  height: number;
  /** Height of the whole content. */
  content: number;
}

/** A piece of content that the reader sees, and how far below the view's upper edge it begins. */
export interface Anchor<T> {
  piece: T;
  offset: number;
}

export class Follow<T> {
  #following = true;
  #lastTop = 0;
  #anchor: Anchor<T> | null = null;

  get following(): boolean {
    return this.#following;
  }

  /**
   * The view scrolled. Only a move upwards can leave the end: when content
   * grows faster than the view follows, a late scroll event is not a wish.
   */
  scrolled(view: View, anchor: Anchor<T> | null): void {
    const atEnd = view.content - view.height - view.top <= END_SLACK;
    if (atEnd) this.#following = true;
    else if (view.top < this.#lastTop - 1) this.#following = false;
    this.#lastTop = view.top;
    this.#anchor = anchor;
  }

  /** The reader asked for something further up (wheel, keys) that has not scrolled yet. */
  leave(): void {
    this.#following = false;
  }

  /** Keeps this piece where it is from now on. */
  hold(anchor: Anchor<T>): void {
    this.#following = false;
    this.#anchor = anchor;
  }

  /** To the end, and stay there. */
  toEnd(): void {
    this.#following = true;
  }

  /**
   * The content or the view changed its size: the new scroll position, or null to
   * leave it. offsetOf gives a piece's present distance from the view's upper edge, or null when it is gone.
   */
  resized(view: View, offsetOf: (piece: T) => number | null): number | null {
    if (this.#following) {
      const end = Math.max(0, view.content - view.height);
      this.#lastTop = end;
      return end === view.top ? null : end;
    }
    if (!this.#anchor) return null;
    const offset = offsetOf(this.#anchor.piece);
    if (offset === null || Math.abs(offset - this.#anchor.offset) < 1) return null;
    const top = Math.max(0, view.top + offset - this.#anchor.offset);
    this.#lastTop = top;
    return top;
  }
}

/** Whether older items should be loaded now. */
export function wantsOlder(view: View, more: boolean, loading: boolean): boolean {
  return more && !loading && view.top < OLDER_AT;
}
