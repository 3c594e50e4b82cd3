import { signal } from "@preact/signals";
import type { GetICUArgs } from "@schummar/icu-type-parser";
import type { CompiledMessage } from "icu-minify/format";
import format from "icu-minify/format";
import type { ComponentChildren } from "preact";
import { apart } from "./bidi.ts";
import { dates, lists, numbers, plurals } from "./formats.ts";
import type { Language } from "./language.ts";
import { type Area, type Catalogue, type English, loadWords } from "./catalogues.ts";
import { main } from "./en/main.ts";

export type Key = keyof English;
/** What a message must be given. */
type Args<K extends Key> = GetICUArgs<
  English[K],
  { ICUNumberArgument: number; ICUArgument: string | number }
>;
/** The names of the parts between `<name>` and `</name>`. */
type Tags<Text> = Text extends `${string}<${infer Tag}>${infer Rest}`
  ? (Tag extends `/${string}` ? never : Tag) | Tags<Rest>
  : never;
type Parts<K extends Key> = Record<Tags<English[K]>, (inner: Inner) => ComponentChildren>;
type Inner = ComponentChildren[];

type Speech = { language: Language; locale: string; words: Catalogue };

/** What is spoken now. Whoever says something while drawing is drawn again when it changes. */
const speech = signal<Speech>({ language: "en", locale: "en", words: main });
/** Parts of the client whose words are here, in whatever language is spoken. */
const areas = new Set<Area>(["main"]);

export const language = () => speech.value.language;
export const locale = () => speech.value.locale;

const FORMATTERS = {
  getDateTimeFormat: (to?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) =>
    dates(String(to), options),
  getNumberFormat: (to?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) =>
    numbers(String(to), options),
  getPluralRules: (to?: Intl.LocalesArgument, options?: Intl.PluralRulesOptions) =>
    plurals(String(to), options),
};

/** A message of the catalogue, in the reader's language. */
export function say<K extends Key>(
  key: K,
  ...[args]: keyof Args<K> extends never ? [] : [args: Args<K>]
): string {
  return fill(key, args) as string;
}

/** A message with parts that are drawn: `<b>{name}</b>` calls `b` with what stands between. */
export function rich<K extends Key>(key: K, args: Args<K> & Parts<K>): ComponentChildren {
  return fill(key, args) as ComponentChildren;
}

/** A message that not every language has; null where this one has it not. */
export function sayIfKnown(key: string, args: Record<string, string>): string | null {
  return Object.hasOwn(speech.value.words, key) ? (fill(key, args) as string) : null;
}

function fill(key: string, args: object | undefined): unknown {
  const { locale: to, words } = speech.value;
  const values =
    args && Object.fromEntries(Object.entries(args).map(([name, value]) => [name, apart(value)]));
  return format(words[key] as CompiledMessage, to, values, { formatters: FORMATTERS });
}

/** Several of something, as a sentence lists them. */
export function listed(items: string[]): string {
  return lists(locale()).format(items.map(apart));
}

/** The name of a thing within a sentence: in German it keeps its capital. */
export function within(name: string): string {
  return language() === "de" ? name : name.toLocaleLowerCase(locale());
}

/** What is to be spoken, though its words may still be on their way. */
let wanted: Pick<Speech, "language" | "locale"> = speech.value;

/**
 * Speaks a language from now on, once its words are here.
 * @param locale how dates and numbers are written (BCP 47)
 */
export function speak(language: Language, locale: string): Promise<void> {
  wanted = { language, locale };
  return gather();
}

/** Loads the words of an area in the current language, and again in each language chosen later. */
export async function loadArea(area: Area): Promise<void> {
  if (areas.has(area)) return gather();
  areas.add(area);
  await gather().catch((error: unknown) => {
    areas.delete(area);
    throw error;
  });
}

/** Shows the words of all parts that are here at once, so that no two languages are mixed. */
async function gather(): Promise<void> {
  const { language, locale } = wanted;
  const parts = [...areas];
  const loaded = await Promise.all(parts.map((area) => loadWords(area, language)));
  // Overtaken meanwhile by another language or part: what is loaded already costs nothing again.
  if (wanted.language !== language || areas.size !== parts.length) return gather();
  speech.value = { language, locale, words: Object.assign({}, ...loaded) };
}
