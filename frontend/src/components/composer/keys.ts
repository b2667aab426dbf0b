/** The parts of a key press that decide what it does in the composer. */
export type Press = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'keyCode'
>;

/**
 * Whether the press belongs to an input method. WebKit ends the composition
 * before the keydown that ended it, so isComposing alone is not enough: that
 * keydown has keyCode 229, or comes within the same turn as compositionend.
 */
export function isComposing(press: Press, endedJustNow = false): boolean {
  return press.isComposing || press.keyCode === 229 || endedJustNow;
}

/** Enter sends; with Shift or Alt it breaks the line; while composing it does neither. */
export function sends(press: Press, endedJustNow = false): boolean {
  return press.key === 'Enter' && !press.shiftKey && !press.altKey && !isComposing(press, endedJustNow);
}
