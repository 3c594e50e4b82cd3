import compile from "icu-minify/compile";

/**
 * Compiles a catalogue of ICU messages. Called as a macro while the client is bundled, so that the
 * browser gets a formatter of a few lines and no parser.
 * @returns the compiled messages, typed as their texts: the arguments of `t` are read from those
 */
export function compileMessages<const Words extends Record<string, string>>(words: Words): Words {
  const messages = Object.entries(words).map(([key, text]) => [key, compile(text)]);
  return Object.fromEntries(messages) as Words;
}
