import { signal } from "@preact/signals";
import type { GetICUArgs } from "@schummar/icu-type-parser";
import type { CompiledMessage } from "icu-minify/format";
import format from "icu-minify/format";
import type { ComponentChildren } from "preact";
import { isolateText } from "./bidi.ts";
import { type Area, type Catalogue, type English, loadWords } from "./catalogues.ts";
import { main } from "./en/main.ts";
import { getDateFormat, getListFormat, getNumberFormat, getPluralRules } from "./intl.ts";
import type { Language } from "./language.ts";

export type Key = keyof English;
/** The arguments of a message, derived from its English text. */
type Args<K extends Key> = GetICUArgs<
  English[K],
  { ICUNumberArgument: number; ICUArgument: string | number }
>;
/** The names of the tags in a message: `b` of `<b>{name}</b>`. */
type Tags<Text> = Text extends `${string}<${infer Tag}>${infer Rest}`
  ? (Tag extends `/${string}` ? never : Tag) | Tags<Rest>
  : never;
type Parts<K extends Key> = Record<Tags<English[K]>, (inner: Inner) => ComponentChildren>;
type Inner = ComponentChildren[];

type Current = { language: Language; locale: string; words: Catalogue };

/**
 * The current words and language. A component that translates while rendering rerenders on a
 * change.
 */
const current = signal<Current>({ language: "en", locale: "en", words: main });
/** The areas whose texts have been requested. */
const areas = new Set<Area>(["main"]);

export const currentLanguage = () => current.value.language;
/** The locale in which dates and numbers are formatted (BCP 47). */
export const currentLocale = () => current.value.locale;

const FORMATTERS = {
  getDateTimeFormat: (locale?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) =>
    getDateFormat(String(locale), options),
  getNumberFormat: (locale?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) =>
    getNumberFormat(String(locale), options),
  getPluralRules: (locale?: Intl.LocalesArgument, options?: Intl.PluralRulesOptions) =>
    getPluralRules(String(locale), options),
};

/** Translates a message of the catalogue into the current language. */
export function t<K extends Key>(
  key: K,
  ...[args]: keyof Args<K> extends never ? [] : [args: Args<K>]
): string {
  return formatMessage(key, args) as string;
}

/**
 * Translates a message with markup: for `<b>{name}</b>`, `args.b` renders the content of the tag.
 */
export function tRich<K extends Key>(key: K, args: Args<K> & Parts<K>): ComponentChildren {
  return formatMessage(key, args) as ComponentChildren;
}

/**
 * Translates a message that may be missing.
 * @returns null if the current language does not have it
 */
export function tIfKnown(key: string, args: Record<string, string | number>): string | null {
  return Object.hasOwn(current.value.words, key) ? (formatMessage(key, args) as string) : null;
}

function formatMessage(key: string, args: object | undefined): unknown {
  const { locale, words } = current.value;
  const values =
    args &&
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, isolateText(value)]));
  return format(words[key] as CompiledMessage, locale, values, { formatters: FORMATTERS });
}

/** Formats a list within a sentence: "Ada, Grace and Linus". */
export function formatList(items: string[]): string {
  const texts = items.map(isolateText);
  // A browser takes tens of milliseconds to make its first format of lists on a slow phone.
  return texts.length > 1 ? getListFormat(currentLocale()).format(texts) : texts.join();
}

/** A label within a sentence: in lower case, except in German. */
export function decapitalize(label: string): string {
  return currentLanguage() === "de" ? label : label.toLocaleLowerCase(currentLocale());
}

/** The last requested language; its texts may still be loading. */
let target: Pick<Current, "language" | "locale"> = current.value;

/**
 * Switches to a language as soon as its texts are loaded.
 * @param locale for dates and numbers (BCP 47)
 */
export function setLanguage(language: Language, locale: string): Promise<void> {
  target = { language, locale };
  return loadWanted();
}

/** Loads the texts of an area in the current language, and in later ones. */
export async function loadArea(area: Area): Promise<void> {
  const isNew = !areas.has(area);
  areas.add(area);
  if (area !== "main") areas.add("forms");
  await loadWanted().catch((error: unknown) => {
    if (isNew) areas.delete(area);
    throw error;
  });
}

/**
 * Switches all areas at the same time, so that languages never mix. If another language fails to
 * load, the current one stays.
 * @throws TypeError if the texts of a new area fail to load in the current language, too
 */
async function loadWanted(): Promise<void> {
  const request = target;
  const loading = [...areas];
  const loads = loading.map((area) => loadWords(area, request.language));
  const loaded = await Promise.all(loads).catch((error: unknown) => {
    if (request.language === currentLanguage()) throw error;
    if (target === request) target = current.value;
  });
  // Another language or area was requested meanwhile. Chunks that are already loaded cost nothing.
  if (!loaded || target !== request || areas.size !== loading.length) return loadWanted();
  current.value = { ...request, words: Object.assign({}, ...loaded) };
}
