/** Text longer than this is cut until "show all"; in UTF-16 units. */
export const CUT_AT = 600;
/** And so is text of more lines than this. */
export const CUT_LINES = 12;

/** The beginning of a long text, never half a character; a short one as it is. */
export function cut(text: string): string {
  let end = Math.min(text.length, CUT_AT);
  let at = -1;
  for (let line = 0; line < CUT_LINES; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at >= end) break;
    if (line === CUT_LINES - 1) end = at;
  }
  if (end === text.length) return text;
  if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end -= 1;
  return `${text.slice(0, end)}…`;
}
