/** An iframe for untrusted content: all its limits are set before it has a source or a place. */
export function makeFrame(document: Document, url: string): HTMLIFrameElement {
  const iframe = document.createElement('iframe');
  iframe.setAttribute('sandbox', 'allow-scripts');
  iframe.setAttribute('allow', '');
  iframe.setAttribute('referrerpolicy', 'no-referrer');
  iframe.setAttribute('loading', 'eager');
  iframe.setAttribute('src', url);
  return iframe;
}

/** The height a surface gets in the log, CSS px, for the one it wishes (0: none). */
export const LEAST_HEIGHT = 80;
export const MOST_HEIGHT = 640;
export const FIRST_HEIGHT = 240;

export function inlineHeight(wished: number): number {
  return wished > 0 ? Math.min(Math.max(wished, LEAST_HEIGHT), MOST_HEIGHT) : FIRST_HEIGHT;
}
