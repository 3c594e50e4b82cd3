import { en } from "./en/catalogue.ts";
import type { Language } from "./language.ts";

/** Compiled messages by their keys. */
export type Catalogue = Record<string, unknown>;

/** A part of the client whose texts are loaded together with its code. */
export type Area = keyof typeof en;

/** The texts of the first load, and an import for each further area. */
type LanguageCatalogue = { main: Catalogue } & Record<
  Exclude<Area, "main">,
  () => Promise<Catalogue>
>;

type Loaded<A extends Exclude<Area, "main">> = Awaited<ReturnType<(typeof en)[A]>>;

/** The English texts, from which the types are derived. */
export type English = typeof en.main &
  Loaded<"rest"> &
  Loaded<"forms"> &
  Loaded<"profile"> &
  Loaded<"security"> &
  Loaded<"webhooks"> &
  Loaded<"admin">;

/** English is part of the first load; another language is a chunk that imports its other chunks. */
const CATALOGUES: Record<Language, () => LanguageCatalogue | Promise<LanguageCatalogue>> = {
  en: () => en,
  de: () => import("./de/catalogue.ts").then(({ de }) => de),
  es: () => import("./es/catalogue.ts").then(({ es }) => es),
};

/**
 * Loads the texts of an area in a language.
 * @throws the import's error if the network fails
 */
export async function loadWords(area: Area, language: Language): Promise<Catalogue> {
  const catalogue = await CATALOGUES[language]();
  return area === "main" ? catalogue.main : catalogue[area]();
}
