/** Text longer than this is cut until "show all"; in UTF-16 units. */
export const CUT_AT = 600;

/** The beginning of a long text, never half a character. */
export function cut(text: string): string {
  if (text.length <= CUT_AT) return text;
  const end = /[\uD800-\uDBFF]/.test(text[CUT_AT - 1] ?? '') ? CUT_AT - 1 : CUT_AT;
  return `${text.slice(0, end)}…`;
}
