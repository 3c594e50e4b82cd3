import type { CompiledMessage } from "icu-minify/format";
import { type Area, loadWords } from "../../public/app/words/catalogues.ts";
import { en } from "../../public/app/words/en/catalogue.ts";
import { LANGUAGES, type Language } from "../../public/app/words/language.ts";

export const AREAS = Object.keys(en) as Area[];
export const NAMES = Object.keys(LANGUAGES) as Language[];

/** The compiled messages of an area in one language. */
export async function messagesOf(area: Area, language: Language) {
  return Object.entries(await loadWords(area, language)) as [string, CompiledMessage][];
}

/** All messages of a language by their keys. */
export async function catalogueOf(language: Language): Promise<Map<string, CompiledMessage>> {
  return new Map((await Promise.all(AREAS.map((area) => messagesOf(area, language)))).flat());
}

/** Texts of error codes, which only the other languages have: the service answers in English. */
export const isErrorText = (key: string) => /^(?:problem|field)\./.test(key);

const KINDS = ["#", "select", "plural", "ordinal", "number", "date", "time"];
const CHOICES = new Set([1, 2, 3]);

export type Argument = { name: string; kind: string; choices: string[] };

/** The arguments and the tags of a message. */
export function argumentsIn(message: CompiledMessage): Argument[] {
  return typeof message === "string" ? [] : message.flatMap(argumentsOfNode);
}

function argumentsOfNode(node: unknown): Argument[] {
  if (!Array.isArray(node)) return [];
  const [name, kind, choices] = node as [string, unknown, unknown];
  if (kind === undefined) return [{ name, kind: "text", choices: [] }];
  if (typeof kind !== "number" || kind === 0)
    return [{ name, kind: "part", choices: [] }, ...node.slice(1).flatMap(argumentsOfNode)];
  if (!CHOICES.has(kind)) return [{ name, kind: String(KINDS[kind]), choices: [] }];
  const branches = choices as Record<string, unknown>;
  return [
    { name, kind: String(KINDS[kind]), choices: Object.keys(branches) },
    ...Object.values(branches).flatMap((branch) =>
      Array.isArray(branch) ? branch.flatMap(argumentsOfNode) : [],
    ),
  ];
}
