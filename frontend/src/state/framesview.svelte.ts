export type SurfaceMode = 'inline' | 'expanded' | 'full';

/**
 * Which surface is shown beside the conversation or over it. At most one; its
 * frame stays where it is in the document, only its look changes.
 */
export class FramesView {
  key = $state('');
  mode = $state<SurfaceMode>('inline');
  /** What is above and below the conversation, which the panel keeps clear of (CSS px). */
  top = $state(0);
  bottom = $state(0);

  modeOf(key: string): SurfaceMode {
    return this.key === key ? this.mode : 'inline';
  }

  show(key: string, mode: SurfaceMode): void {
    this.key = mode === 'inline' ? '' : key;
    this.mode = mode;
  }

  /** One step back: full screen → where it was → inline. False: there was nothing to leave. */
  back(): boolean {
    if (this.mode === 'inline') return false;
    this.show(this.key, 'inline');
    return true;
  }

  /** The card of key is gone. */
  gone(key: string): void {
    if (this.key === key) this.show('', 'inline');
  }
}

export const framesView = new FramesView();
