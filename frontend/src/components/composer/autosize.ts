/** Makes a text area as high as its text (field-sizing is not in WebKitGTK 2.50). max-height bounds it. */
export function autosize(area: HTMLTextAreaElement, _text: string): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
  area.style.overflowY = area.scrollHeight > area.clientHeight + 1 ? 'auto' : 'hidden';
}
