import type { InlineContext, MarkdownConfig } from "@lezer/markdown";
import { MAX_URL_LENGTH } from "../limits.ts";

/**
 * Markdown extensions: @usernames, #rooms, :emoji: names and bare URLs. They are parsed before
 * emphasis, so that marks within a URL or a name are literal. A name next to a Latin letter or digit is
 * literal text; next to a letter of a script without spaces it is not.
 */
const APART = String.raw`(?<![\p{Script=Latin}\p{N}@/&][_]{0,9})`;
const MENTION = new RegExp(
  String.raw`${APART}@([a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?)(?![._-]{0,40}[\p{Script=Latin}\p{N}@])`,
  "iuy",
);
const ROOM = new RegExp(
  String.raw`(?<!#)${APART}#([a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?)(?![_-]{0,40}[\p{Script=Latin}\p{N}])`,
  "iuy",
);
const EMOJI = /(?<![\p{Script=Latin}\p{N}]):([a-z0-9_+-]{1,64}):/iuy;
/**
 * A URL up to white space, an invisible character, a quotation mark or East Asian punctuation, without
 * trailing punctuation. Unencoded characters that should be encoded, such as braces, are included,
 * since truncating the URL there would change it.
 */
const BARE_URL = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}])https?://[^\s\p{Cc}<>"\x60“”„‟«»‹›\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]{1,${MAX_URL_LENGTH}}`,
  "iuy",
);
const ANGLED_URL = new RegExp(
  String.raw`<((?:https?://|mailto:)[^\s<>]{1,${MAX_URL_LENGTH}})>`,
  "iuy",
);

const AT = 64;
const HASH = 35;
const COLON = 58;
const LESS = 60;
const LOWER_H = 104;
const UPPER_H = 72;

export const tokens: MarkdownConfig = {
  defineNodes: ["Mention", "Room", "Emoji", "BareUrl", "AngledUrl"],
  parseInline: [
    {
      name: "Tokens",
      before: "Escape",
      parse(cx, next, pos) {
        switch (next) {
          case AT:
            return addMatch(cx, "Mention", MENTION, pos);
          case HASH:
            return addMatch(cx, "Room", ROOM, pos);
          case COLON:
            return addMatch(cx, "Emoji", EMOJI, pos);
          case LESS:
            return addMatch(cx, "AngledUrl", ANGLED_URL, pos, isLink);
          case LOWER_H:
          case UPPER_H:
            return addUrl(cx, pos);
          default:
            return -1;
        }
      },
    },
  ],
};

function addUrl(cx: InlineContext, pos: number): number {
  const match = matchAt(cx, BARE_URL, pos);
  if (!match) return -1;
  const url = cutSentence(match[0]);
  // Skipped completely, so that nothing inside is parsed again.
  if (!isLink(url)) return pos + match[0].length;
  return cx.addElement(cx.elt("BareUrl", pos, pos + url.length));
}

/** @returns the URL that starts at this position; null if no URL does */
export function readBareUrl(text: string, at: number): string | null {
  return matchBareUrl(text, at).url;
}

/** As `readBareUrl`, also with the consumed length, within which no other URL starts. */
export function matchBareUrl(text: string, at: number): { url: string | null; length: number } {
  BARE_URL.lastIndex = at;
  const candidate = BARE_URL.exec(text)?.[0] ?? "";
  const url = cutSentence(candidate);
  return isLink(url) ? { url, length: url.length } : { url: null, length: candidate.length };
}

function matchAt(cx: InlineContext, pattern: RegExp, pos: number): RegExpExecArray | null {
  pattern.lastIndex = pos - cx.offset;
  return pattern.exec(cx.text);
}

function addMatch(
  cx: InlineContext,
  node: string,
  pattern: RegExp,
  pos: number,
  isGood: (inner: string) => boolean = () => true,
): number {
  const match = matchAt(cx, pattern, pos);
  if (!match || !isGood(match[1] ?? "")) return -1;
  return cx.addElement(cx.elt(node, pos, pos + match[0].length));
}

export function isLink(url: string): boolean {
  return (
    url.length <= MAX_URL_LENGTH && /^(?:https?:\/\/[^/?#]|mailto:)/i.test(url) && URL.canParse(url)
  );
}

/** The closing brackets that may be part of a URL, by opening bracket. */
const BRACKETS = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);
/** Punctuation that ends or styles a sentence: part of ASCII's, and all of other scripts'. */
const ENDING = /[.,\:;!?'*_~\|\\\(\[\{]|[[^\0-\x7f]&&[\p{P}\u200c\u200d]]/v;

/** Removes trailing punctuation, and a closing bracket whose opening bracket precedes the URL. */
function cutSentence(url: string): string {
  const openCounts = new Map<string, number>();
  for (const char of url) {
    const opening = BRACKETS.get(char);
    if (opening !== undefined) openCounts.set(opening, (openCounts.get(opening) ?? 0) - 1);
    else if ("([{".includes(char)) openCounts.set(char, (openCounts.get(char) ?? 0) + 1);
  }
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    const opening = BRACKETS.get(last);
    const excess = opening === undefined ? 0 : (openCounts.get(opening) ?? 0);
    if (opening !== undefined && excess < 0) openCounts.set(opening, excess + 1);
    else if (!ENDING.test(last)) break;
    else if ("([{".includes(last)) openCounts.set(last, (openCounts.get(last) ?? 0) - 1);
  }
  return url.slice(0, end);
}
