/** Gives images that are not loaded something to see: which host they would come from. */
export function decorate(root: Element, words: (host: string) => string): void {
  for (const image of root.querySelectorAll('img:not([src])')) {
    const source = image.getAttribute('data-src') ?? '';
    image.setAttribute('alt', [image.getAttribute('alt'), words(hostOf(source))].filter(Boolean).join(' · '));
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}
