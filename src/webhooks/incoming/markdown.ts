import { EAST_ASIAN } from "../../wire/markdown/emphasis.ts";
import { isLink, matchBareUrl, readBareUrl } from "../../wire/markdown/tokens.ts";
import { textOf } from "./json.ts";

export type Style = "bold" | "italic" | "strike";
/** What a program wrote, independent of the language it came in. Text is shown as it is. */
export type Inline =
  | { type: "text"; text: string; hasRooms?: boolean }
  /** A URL that is shown as it is. */
  | { type: "address"; url: string }
  | { type: "code"; text: string }
  | { type: "link"; url: string; children: Inline[] }
  /** `@name` or `#room`. */
  | { type: "mention"; text: string }
  | { type: Style; children: Inline[] };

/** Longer labels would not be read as a link. */
const MAX_LABEL_LENGTH = 480;
/** Separates marks from a neighbor beside which they would be text. */
const HAIR_SPACE = "\u200a";
/** What follows a bare URL is looked at this far. */
const LOOKAHEAD = 64;
const MARKS = { bold: "**", strike: "~~" };

/** A piece of the result: finished Markdown, a URL, or the beginning or end of a style. */
type Piece =
  | { type: "raw"; text: string }
  | { type: "address"; url: string }
  | { type: "mark"; style: Style; isOpen: boolean; pair: number };

/** Writes nodes as Markdown that shows exactly them; everything else is escaped. */
export function writeMarkdown(nodes: Inline[], isLabel = false): string {
  const pieces: Piece[] = [];
  addPieces(pieces, nodes, isLabel);
  return joinPieces(pieces);
}

/** Plain text as Markdown: URLs lead to themselves, and nothing else is interpreted but mentions. */
export function escapeMarkdown(text: string): string {
  const nodes = splitAddresses(text);
  return writeMarkdown(
    nodes.map((node) => (node.type === "text" ? { ...node, hasRooms: false } : node)),
  );
}

/** A link with plain text; only the text if the URL cannot be linked. */
export function formatTextLink(text: string, url: unknown): string {
  return writeMarkdown([toLink([{ type: "text", text }], url)].flat());
}

/** A link with words in Markdown; only the words if the URL cannot be linked. */
export function formatLink(words: string, url: unknown): string {
  const address = toAddress(url);
  if (words === "" || address === null) return words;
  // A parenthesis would end the address.
  const safe = address.replace(/[()]/g, (character) => (character === "(" ? "%28" : "%29"));
  return `[${words}](${safe})`;
}

/** A link node; only its children if the URL cannot be linked, and the URL if there are none. */
export function toLink(children: Inline[], url: unknown): Inline[] {
  const address = toAddress(url);
  if (address === null) return children;
  const isEmpty = children.every((child) => child.type === "text" && child.text.trim() === "");
  if (isEmpty) return [{ type: "address", url: address }];
  return [{ type: "link", url: address, children }];
}

/** An address that can be linked, with its spaces as browsers send them (names of jobs have some). */
function toAddress(url: unknown): string | null {
  const address = textOf(url).replace(/[ <>]/g, encodeURIComponent);
  return /\s/.test(address) || !isLink(address) ? null : address;
}

/** The text as nodes, with its URLs apart. */
export function splitAddresses(text: string): Inline[] {
  const nodes: Inline[] = [];
  let at = 0;
  let read = 0;
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    if (index < read) continue;
    const { url, length } = matchBareUrl(text, index);
    read = index + length;
    if (url === null) continue;
    nodes.push({ type: "text", text: text.slice(at, index) }, { type: "address", url });
    at = read;
  }
  nodes.push({ type: "text", text: text.slice(at) });
  return nodes;
}

/** Code between as many backticks as it needs. */
export function formatCode(text: string): string {
  const line = text.replaceAll("\n", " ");
  if (line === "") return "";
  const ticks = "`".repeat(longestRun(line) + 1);
  const isPadded = line.startsWith(" ") && line.endsWith(" ") && line.trim() !== "";
  const needsPadding = isPadded || line.startsWith("`") || line.endsWith("`");
  return needsPadding ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** A block of code, with a fence that is longer than any in it. */
export function formatFence(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Each line of a text in Markdown as a quote. */
export function formatQuote(text: string): string {
  return text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

/**
 * Puts texts in Markdown below each other; a line below a quote or a list would be part of it, and so would
 * a list that begins later than with 1.
 */
export function joinLines(parts: string[]): string {
  const joined: string[] = [];
  let last = "";
  let isOrdered = false;
  for (const part of parts) {
    if (part === "") continue;
    const isOpen = CONTINUED.test(last.slice(last.lastIndexOf("\n") + 1)) && !CONTINUED.test(part);
    const isLate = LATE_LIST.test(part) && !isOrdered;
    if (joined.length > 0) joined.push(isOpen || isLate ? "\n\n" : "\n");
    joined.push(part);
    last = part;
    // A list goes on below what is indented in it.
    const outer = part.split("\n").findLast((line) => !line.startsWith(" "));
    if (outer !== undefined) isOrdered = /^\d+\. /.test(outer);
  }
  return joined.join("");
}

const LATE_LIST = /^(?!1\. )\d+\. /;

/** A line of a quote or a list. */
const CONTINUED = /^ *(?:>|- |\d+\. )/;

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

function addPieces(pieces: Piece[], nodes: Inline[], isLabel: boolean): void {
  for (const node of mergeNeighbors(nodes)) {
    if (node.type === "text") addText(pieces, node.text, isLabel, node.hasRooms);
    else if (node.type === "code") addCode(pieces, node.text);
    else if (node.type === "mention") pieces.push({ type: "raw", text: formatMention(node.text) });
    else if (node.type === "address") {
      if (isLabel) addText(pieces, node.url, true);
      else pieces.push({ type: "address", url: node.url });
    } else if (node.type === "link") addLink(pieces, node.url, node.children, isLabel);
    else addStyle(pieces, node.type, node.children, isLabel);
  }
}

/** Right behind a backtick of the text it would not be read as code. */
function addCode(pieces: Piece[], text: string): void {
  const isBehindTick = lastOf(pieces.at(-1)) === "`";
  pieces.push({ type: "raw", text: (isBehindTick ? HAIR_SPACE : "") + formatCode(text) });
}

/** Two texts, or two pieces of code, that follow each other are one. */
function mergeNeighbors(nodes: Inline[]): Inline[] {
  const merged: Inline[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    const isAlike = node.type === "text" || node.type === "code";
    if (isAlike && last?.type === node.type) {
      merged[merged.length - 1] = { ...last, text: last.text + node.text };
    } else if (!(isAlike && node.text === "")) merged.push(node);
  }
  return merged;
}

function addLink(pieces: Piece[], url: string, children: Inline[], isLabel: boolean): void {
  if (isLabel) {
    addPieces(pieces, children, true);
    return;
  }
  const words = writeMarkdown(children, true).replace(/\s+/g, " ").trim();
  if (words.length <= MAX_LABEL_LENGTH) {
    pieces.push({ type: "raw", text: formatLink(words, url) });
    return;
  }
  addPieces(pieces, children, false);
  pieces.push({ type: "raw", text: " " }, { type: "address", url });
}

function addStyle(pieces: Piece[], style: Style, children: Inline[], isLabel: boolean): void {
  const open: Piece = { type: "mark", style, isOpen: true, pair: 0 };
  const close: Piece = { type: "mark", style, isOpen: false, pair: pieces.length };
  pieces.push(open);
  addPieces(pieces, children, isLabel);
  // Marks around nothing would be text.
  if (pieces.at(-1) === open) pieces.pop();
  else {
    open.pair = pieces.length;
    pieces.push(close);
  }
}

/** A name as Snug has them, or else text. */
function formatMention(text: string): string {
  return /^[@#][\w.-]+$/.test(text) ? text : escapeText(text, false, false);
}

function addText(pieces: Piece[], text: string, isLabel: boolean, hasRooms = true): void {
  const last = pieces.at(-1);
  const startsLine = last === undefined || (last.type === "raw" && last.text.endsWith("\n"));
  const escaped = escapeText(text, startsLine && !isLabel, isLabel);
  const raw = hasRooms ? escaped : escaped.replace(/(?<!\\)#(?=[a-z0-9])/gi, "\\#");
  pieces.push({ type: "raw", text: raw });
}

/** What would begin a block: a heading, a quote, a list, a rule, or the second line of a table. */
const BLOCK_START =
  /^([ \t]*)(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:[ \t]|$)|>|[-+](?:[\s-]|$)|[|:-][ \t|:-]*$))/gm;
const SPECIAL = /\\|`|\*+|_+|~+|[[\]<]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** Escapes what Markdown would interpret, and no more: what is stored can be searched and read. */
function escapeText(text: string, startsLine: boolean, isLabel: boolean): string {
  const areBalanced = isLabel && hasBalancedBrackets(text);
  const escaped = text.replace(SPECIAL, (run, at: number) => {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + run.length);
    return isInert(run, before, after, isLabel, areBalanced) ? run : run.replace(/./g, "\\$&");
  });
  if (isLabel) return escaped;
  return escaped.replace(BLOCK_START, (start, indent: string, number: string | undefined, at) => {
    if (at === 0 && !startsLine) return start;
    return number === undefined ? `${indent}\\` : `${indent}${number}\\`;
  });
}

/** Whether a character, or a run of one, is text for Markdown between these two; "" is unknown. */
function isInert(
  run: string,
  before: string,
  after: string,
  isLabel: boolean,
  areBalanced: boolean,
): boolean {
  const isApart = /[^\S\n]/.test(before) && /\s/.test(after);
  switch (run.charAt(0)) {
    case "\\":
      return after !== "" && !PUNCTUATION.test(after);
    case "*":
      return isApart;
    case "_":
      return isApart || (WORD.test(before) && WORD.test(after));
    case "~":
      return run.length === 1 && before !== "" && after !== "";
    case "[":
      return !isLabel || areBalanced;
    case "]":
      return isLabel ? areBalanced : after !== "(" && after !== "";
    case "<":
      return !/^[hm]?$/i.test(after);
    default:
      return false;
  }
}

/** Such brackets are part of a label. */
function hasBalancedBrackets(text: string): boolean {
  if (text.includes("](")) return false;
  let depth = 0;
  for (const character of text) {
    if (character === "[") depth += 1;
    else if (character === "]" && --depth < 0) return false;
  }
  return depth === 0;
}

/** From the end to the beginning, since a URL and a mark depend on what follows. */
function joinPieces(pieces: Piece[]): string {
  const written: string[] = [];
  let following = "";
  for (let i = pieces.length - 1; i >= 0; i -= 1) {
    const piece = pieces[i] as Piece;
    const before = lastOf(pieces[i - 1]);
    let text: string;
    if (piece.type === "raw") ({ text } = piece);
    else if (piece.type === "address") text = formatAddress(piece.url, before, following);
    else text = formatMark(pieces, piece, before, following);
    written.push(text);
    following = (text + following).slice(0, LOOKAHEAD);
  }
  return written.reverse().join("");
}

/** As it is where Snug finds exactly it, or else in angle brackets. */
function formatAddress(url: string, before: string, following: string): string {
  const isBare = !WORD.test(before) && readBareUrl(url + following, 0) === url;
  return isBare ? url : `<${url}>`;
}

/** Markdown reads a mark as the beginning or end of a style by its neighbors (`wire/markdown/emphasis.ts`). */
function formatMark(
  pieces: Piece[],
  { style, isOpen, pair }: Piece & { type: "mark" },
  before: string,
  following: string,
): string {
  const after = following.charAt(0);
  const mark = style === "italic" ? italicMark(pieces, isOpen, pair, before, after) : MARKS[style];
  const [inner, outer] = isOpen ? [after, before] : [before, after];
  const isClear = !isPunctuation(inner) || EAST_ASIAN.test(inner) || EAST_ASIAN.test(outer);
  if (isClear || isSpace(outer) || isPunctuation(outer)) return mark;
  return isOpen ? HAIR_SPACE + mark : mark + HAIR_SPACE;
}

/** `_` is text beside a letter, `*` is not. The two ends have the same. */
function italicMark(
  pieces: Piece[],
  isOpen: boolean,
  pair: number,
  before: string,
  after: string,
): string {
  const outside = isOpen ? [before, firstOf(pieces[pair + 1])] : [lastOf(pieces[pair - 1]), after];
  return outside.every((char) => isSpace(char) || isPunctuation(char)) ? "_" : "*";
}

function lastOf(piece: Piece | undefined): string {
  if (piece === undefined) return "";
  if (piece.type === "raw") return piece.text.at(-1) ?? "";
  return piece.type === "mark" ? "*" : "x";
}

function firstOf(piece: Piece | undefined): string {
  if (piece === undefined) return "";
  if (piece.type === "raw") return piece.text.charAt(0);
  return piece.type === "mark" ? "*" : "x";
}

const isSpace = (character: string) => character === "" || /\s/.test(character);
const isPunctuation = (character: string) => /[\p{P}\p{S}]/u.test(character);
