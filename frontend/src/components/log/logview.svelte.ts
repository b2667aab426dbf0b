import { Follow, wantsOlder, type Anchor, type View } from './follow';

interface LogViewOptions {
  older(): unknown;
  wantsOlder(): boolean;
  /** The reader came to rest: at the end (item "") or with this item at the upper edge. */
  rested(item: string, offset: number): void;
}

/** How long the view must stand still before its place is told. */
const REST_MS = 200;

/** The log's scrolling: Follow's decisions, carried out on the element. */
export class LogView {
  /** The reader is away from the end. */
  away = $state(false);
  /** Something came while the reader was away. */
  fresh = $state(false);
  readonly #options: LogViewOptions;
  readonly #follow = new Follow<Element>();
  #log: HTMLElement | null = null;
  #content: HTMLElement | null = null;
  #height = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogViewOptions) {
    this.#options = options;
  }

  attach = (log: HTMLElement) => {
    this.#log = log;
    const scrolled = () => this.#scrolled();
    const wheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && log.scrollHeight > log.clientHeight) this.#follow.leave();
    };
    log.addEventListener('scroll', scrolled, { passive: true });
    log.addEventListener('wheel', wheel, { passive: true });
    const observer = new ResizeObserver(() => this.settle());
    observer.observe(log);
    return () => {
      clearTimeout(this.#rest);
      observer.disconnect();
      log.removeEventListener('scroll', scrolled);
      log.removeEventListener('wheel', wheel);
      this.#log = null;
    };
  };

  /** A resize observer runs after layout and before paint: the reader never sees the jump it corrects. */
  attachContent = (content: HTMLElement) => {
    this.#content = content;
    const observer = new ResizeObserver(() => this.settle());
    observer.observe(content);
    return () => {
      observer.disconnect();
      this.#content = null;
    };
  };

  /** Puts the view where the reader wants it after something changed size. */
  settle(): void {
    const log = this.#log;
    if (!log) return;
    const content = log.scrollHeight;
    const top = this.#follow.resized(this.#view(log), (piece) =>
      piece.isConnected ? this.#offset(log, piece) : null,
    );
    if (top !== null) log.scrollTop = top;
    if (this.away && content > this.#height + 1) this.fresh = true;
    this.#height = content;
    this.#look(log);
  }

  toEnd(smooth = false): void {
    this.#follow.toEnd();
    const log = this.#log;
    if (!log) return;
    if (smooth && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      log.scrollTo({ top: log.scrollHeight, behavior: 'smooth' });
    } else {
      log.scrollTop = log.scrollHeight;
    }
    this.#look(log);
  }

  /** Brings an item into the middle, for a search hit. */
  reveal(id: string): void {
    this.#follow.leave();
    const piece = this.#content?.querySelector(`[data-item="${CSS.escape(id)}"]`);
    piece?.scrollIntoView({ block: 'center' });
    piece?.classList.add('found');
    setTimeout(() => piece?.classList.remove('found'), 2000);
  }

  /** Puts an item where the reader left it; false: it is not here. */
  comeBack(id: string, offset: number): boolean {
    const log = this.#log;
    const piece = this.#content?.querySelector(`[data-item="${CSS.escape(id)}"]`);
    if (!log || !piece) return false;
    this.#follow.leave();
    log.scrollTop += this.#offset(log, piece) - offset;
    this.#follow.hold({ piece, offset });
    this.#look(log);
    return true;
  }

  #scrolled(): void {
    const log = this.#log;
    if (!log) return;
    const view = this.#view(log);
    const anchor = this.#anchor(log);
    this.#follow.scrolled(view, anchor);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      const at = this.#follow.following ? null : anchor;
      this.#options.rested((at?.piece as HTMLElement | undefined)?.dataset.item ?? '', at?.offset ?? 0);
    }, REST_MS);
    this.#look(log);
    if (wantsOlder(view, this.#options.wantsOlder(), false)) this.#options.older();
  }

  #look(log: HTMLElement): void {
    this.away = !this.#follow.following && log.scrollHeight - log.clientHeight - log.scrollTop > 80;
    if (!this.away) this.fresh = false;
  }

  #view(log: HTMLElement): View {
    return { top: log.scrollTop, height: log.clientHeight, content: log.scrollHeight };
  }

  #offset(log: HTMLElement, piece: Element): number {
    return piece.getBoundingClientRect().top - log.getBoundingClientRect().top;
  }

  /** The first item that can be seen; found by halves, for the log may be long. */
  #anchor(log: HTMLElement): Anchor<Element> | null {
    const items = this.#content?.querySelectorAll(':scope > [data-item]');
    if (!items?.length) return null;
    const edge = log.getBoundingClientRect().top;
    let low = 0;
    let high = items.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (items[middle]!.getBoundingClientRect().bottom > edge) high = middle;
      else low = middle + 1;
    }
    const piece = items[low]!;
    return { piece, offset: this.#offset(log, piece) };
  }
}
