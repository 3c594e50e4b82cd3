import type { CompiledMessage } from "icu-minify/format";
import type { Language } from "../../public/app/words/language.ts";
import { catalogueOf } from "./languages.ts";

/** Fewer letters of its own say nothing of the language. */
const TELLING = /\p{L}{3}/u;

/** What a message may come to, whatever it is filled with. */
function patternOf(message: CompiledMessage): string {
  return typeof message === "string" ? RegExp.escape(message) : message.map(ofNode).join("");
}

function ofNode(node: unknown): string {
  if (typeof node === "string") return RegExp.escape(node);
  if (!Array.isArray(node)) return "[\\d.,]+";
  const [, kind, choices] = node as [string, unknown, unknown];
  if (kind === undefined || kind === 4) return ".*";
  if (typeof kind !== "number" || kind === 0) return node.slice(1).map(ofNode).join("");
  const branches = Object.values(choices as Record<string, unknown>);
  return `(?:${branches.map((one) => (Array.isArray(one) ? one.map(ofNode).join("") : ofNode(one))).join("|")})`;
}

async function patternsOf(language: Language): Promise<RegExp[]> {
  return [...(await catalogueOf(language)).values()]
    .filter((message) => TELLING.test(lettersOf(message)))
    .map((message) => new RegExp(`^${patternOf(message)}$`, "s"));
}

function lettersOf(message: unknown): string {
  if (typeof message === "string") return message;
  if (!Array.isArray(message)) return "";
  return message
    .flatMap((node) => {
      if (!Array.isArray(node)) return [node];
      const choices: unknown = node[2];
      return typeof choices === "object" && choices && !Array.isArray(choices)
        ? Object.values(choices)
        : node.slice(1);
    })
    .map(lettersOf)
    .join(" ");
}

/** Texts that are English words of the catalogue, and none of the language that is spoken. */
export async function englishLeft(texts: string[], spoken: Language): Promise<string[]> {
  const [english, own] = await Promise.all([patternsOf("en"), patternsOf(spoken)]);
  const isOf = (patterns: RegExp[], text: string) => patterns.some((one) => one.test(text));
  return texts.filter((text) => isOf(english, text) && !isOf(own, text));
}
