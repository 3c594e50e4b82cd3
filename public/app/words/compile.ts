import compile from "icu-minify/compile";

/**
 * Compiles the messages of a catalogue (ICU MessageFormat) while the client is bundled: called as a
 * macro, so that the browser gets what is left to do and no parser.
 * @returns the compiled messages, typed as the texts they were made of: the types of `say` are read
 *   from those
 */
export function compiled<const Words extends Record<string, string>>(words: Words): Words {
  const messages = Object.entries(words).map(([key, text]) => [key, compile(text)]);
  return Object.fromEntries(messages) as Words;
}
