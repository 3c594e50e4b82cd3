import { importChunk } from "../connection/import-chunk.ts";
import { en } from "./en/catalogue.ts";
import type { Language } from "./language.ts";

/** Compiled messages by their keys. */
export type Catalogue = Record<string, unknown>;

/** A part of the client whose texts are loaded together with its code. */
export type Area = keyof typeof en;

/** The texts of the first load, and an import for each further area. */
type LanguageCatalogue = { main: Catalogue } & Record<
  LaterArea,
  () => Promise<Record<string, Catalogue>>
>;
type LaterArea = Exclude<Area, "main">;

type Loaded<A extends LaterArea> = Awaited<ReturnType<(typeof en)[A]>>;

/** The English texts, from which the types are derived. */
export type English = typeof en.main &
  Loaded<"rest">["rest"] &
  Loaded<"forms">["forms"] &
  Loaded<"profile">["profile"] &
  Loaded<"security">["security"] &
  Loaded<"webhooks">["webhooks"] &
  Loaded<"admin">["admin"];

/** English is part of the first load; another language is a chunk that imports its other chunks. */
const CATALOGUES: Record<Language, () => Promise<Record<string, LanguageCatalogue>>> = {
  en: async () => ({ en }),
  de: () => import("./de/catalogue.ts"),
  es: () => import("./es/catalogue.ts"),
};

/**
 * Loads the texts of an area in a language.
 * @throws the import's error if the network fails
 */
export async function loadWords(area: Area, language: Language): Promise<Catalogue> {
  const folder = `words/${language}`;
  const languages = await importChunk(`${folder}/catalogue.ts`, CATALOGUES[language]);
  const catalogue = languages[language] as LanguageCatalogue;
  if (area === "main") return catalogue.main;
  return (await importChunk(`${folder}/${area}.ts`, catalogue[area]))[area] as Catalogue;
}
