import type { CompiledMessage } from "icu-minify/format";
import type { Language } from "../../public/app/words/language.ts";
import { catalogueOf } from "./catalogue-messages.ts";

/** Shorter texts say nothing about the language. */
const HAS_WORD = /\p{L}{3}/u;

/** A pattern of everything a message can format to. */
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
  return `(?:${branches.map((branch) => (Array.isArray(branch) ? branch.map(ofNode).join("") : ofNode(branch))).join("|")})`;
}

async function patternsOf(language: Language): Promise<RegExp[]> {
  return [...(await catalogueOf(language)).values()]
    .filter((message) => HAS_WORD.test(lettersOf(message)))
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

/** The texts that match the English catalogue but not that of the current language. */
export async function findEnglishTexts(texts: string[], spoken: Language): Promise<string[]> {
  const [english, own] = await Promise.all([patternsOf("en"), patternsOf(spoken)]);
  const isOf = (patterns: RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));
  return texts.filter((text) => isOf(english, text) && !isOf(own, text));
}
