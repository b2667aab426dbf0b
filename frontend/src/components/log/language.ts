/** The language a code block names in its class, for its bar; "" when it names none. */
export function languageOf(html: string): string {
  const named =
    /\blanguage-([A-Za-z0-9+#._-]{1,32})/.exec(html) ?? /\bdata-lang(?:uage)?="([^"]{1,32})"/.exec(html);
  return named?.[1] ?? '';
}
