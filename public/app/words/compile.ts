import compile from "icu-minify/compile";

/**
 * Compiles a catalogue of ICU messages. Called as a macro while the client is bundled, so that the
 * browser needs only a small formatter and no parser.
 * @returns the compiled messages, typed as their source texts, from which the arguments of `t` are
 * derived
 */
export function compileMessages<const Words extends Record<string, string>>(words: Words): Words {
  const messages = Object.entries(words).map(([key, text]) => [key, compile(text)]);
  return Object.fromEntries(messages) as Words;
}
