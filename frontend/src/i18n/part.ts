/** A message: words with {params}, or one form per plural category chosen by {count}. */
export type Message = string | { readonly one?: string; readonly other: string };

type NamesIn<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
type FormsOf<M> = M extends string ? M : M extends { other: infer O extends string } ? O : never;

/** The params a message needs. A plural also needs count. */
export type ParamsOf<M> = M extends string ? NamesIn<M> : NamesIn<FormsOf<M>> | 'count';

export interface Part<En extends Record<string, Message>> {
  readonly en: En;
  readonly zh: { readonly [K in keyof En]: Message };
}

/**
 * One domain's words in both languages. Keys start with the domain ("log.copy")
 * and English says which params there are; a key without its Chinese does not compile.
 */
export function part<const En extends Record<string, Message>>(
  en: En,
  zh: { readonly [K in keyof En]: Message },
): Part<En> {
  return { en, zh };
}
