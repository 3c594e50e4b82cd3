import { EAST_ASIAN } from "../../wire/markdown/emphasis.ts";
import { isLink, matchBareUrl, readBareUrl } from "../../wire/markdown/tokens.ts";
import { textOf } from "./json.ts";

export type Style = "bold" | "italic" | "strike";
/** Content from a program, independent of its format. Text is literal. */
export type Inline =
  | { type: "text"; text: string; hasRooms?: boolean }
  /** A URL that is shown literally. */
  | { type: "address"; url: string }
  | { type: "code"; text: string }
  | { type: "link"; url: string; children: Inline[] }
  /** `@name` or `#room`. */
  | { type: "mention"; text: string }
  | { type: Style; children: Inline[] };

/** Longer labels would not be parsed as a link. */
const MAX_LABEL_LENGTH = 480;
/** Separates marks from an adjacent character next to which they would be literal. */
const HAIR_SPACE = "\u200a";
/** How many characters after a bare URL are checked. */
const LOOKAHEAD = 64;
const MARKS = { bold: "**", strike: "~~" };

/** A piece of the output: finished Markdown, a URL, or the start or end of a style. */
type Piece =
  | { type: "raw"; text: string }
  | { type: "address"; url: string }
  | { type: "mark"; style: Style; isOpen: boolean; pair: number };

/** Formats nodes as Markdown that renders to exactly these nodes; everything else is escaped. */
export function writeMarkdown(nodes: Inline[], isLabel = false): string {
  const pieces: Piece[] = [];
  addPieces(pieces, nodes, isLabel);
  return joinPieces(pieces);
}

/** Formats plain text as Markdown: URLs become links, mentions stay mentions, everything else is escaped. */
export function escapeMarkdown(text: string): string {
  const nodes = splitAddresses(text);
  return writeMarkdown(
    nodes.map((node) => (node.type === "text" ? { ...node, hasRooms: false } : node)),
  );
}

/** A link with a plain-text label; only the text if the URL cannot be linked. */
export function formatTextLink(text: string, url: unknown): string {
  return writeMarkdown([toLink([{ type: "text", text }], url)].flat());
}

/** A link with a Markdown label; only the label if the URL cannot be linked. */
export function formatLink(words: string, url: unknown): string {
  const address = toAddress(url);
  if (words === "" || address === null) return words;
  // A parenthesis would end the URL.
  const safe = address.replace(/[()]/g, (character) => (character === "(" ? "%28" : "%29"));
  return `[${words}](${safe})`;
}

/** A link node; only its children if the URL cannot be linked, and the URL if it has no children. */
export function toLink(children: Inline[], url: unknown): Inline[] {
  const address = toAddress(url);
  if (address === null) return children;
  const isEmpty = children.every((child) => child.type === "text" && child.text.trim() === "");
  if (isEmpty) return [{ type: "address", url: address }];
  return [{ type: "link", url: address, children }];
}

/** A URL that can be linked, with spaces encoded as browsers do (names of CI jobs contain some). */
function toAddress(url: unknown): string | null {
  const address = textOf(url).replace(/[ <>]/g, encodeURIComponent);
  return /\s/.test(address) || !isLink(address) ? null : address;
}

export function splitAddresses(text: string): Inline[] {
  const nodes: Inline[] = [];
  let at = 0;
  let end = 0;
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    if (index < end) continue;
    const { url, length } = matchBareUrl(text, index);
    end = index + length;
    if (url === null) continue;
    nodes.push({ type: "text", text: text.slice(at, index) }, { type: "address", url });
    at = end;
  }
  nodes.push({ type: "text", text: text.slice(at) });
  return nodes;
}

/** Formats a code span with as many backticks as it needs. */
export function formatCode(text: string): string {
  const line = text.replaceAll("\n", " ");
  if (line === "") return "";
  const ticks = "`".repeat(longestRun(line) + 1);
  const isPadded = line.startsWith(" ") && line.endsWith(" ") && line.trim() !== "";
  const needsPadding = isPadded || line.startsWith("`") || line.endsWith("`");
  return needsPadding ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

export function formatFence(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

export function formatQuote(text: string): string {
  return text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

/**
 * Joins Markdown texts as separate lines. A line directly below a quote or a list would become part of
 * it, and so would a list that starts with a number other than 1.
 */
export function joinLines(parts: string[]): string {
  const lines: string[] = [];
  let last = "";
  let isOrdered = false;
  for (const part of parts) {
    if (part === "") continue;
    const isOpen = CONTINUED.test(last.slice(last.lastIndexOf("\n") + 1)) && !CONTINUED.test(part);
    const isLate = LATE_LIST.test(part) && !isOrdered;
    if (lines.length > 0) lines.push(isOpen || isLate ? "\n\n" : "\n");
    lines.push(part);
    last = part;
    // A list continues after its indented content.
    const outer = part.split("\n").findLast((line) => !line.startsWith(" "));
    if (outer !== undefined) isOrdered = /^\d+\. /.test(outer);
  }
  return lines.join("");
}

const LATE_LIST = /^(?!1\. )\d+\. /;

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

/** Directly after a backtick, a code span would not be parsed as code. */
function addCode(pieces: Piece[], text: string): void {
  const isBehindTick = lastOf(pieces.at(-1)) === "`";
  pieces.push({ type: "raw", text: (isBehindTick ? HAIR_SPACE : "") + formatCode(text) });
}

function mergeNeighbors(nodes: Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const isAlike = node.type === "text" || node.type === "code";
    if (isAlike && last?.type === node.type) {
      result[result.length - 1] = { ...last, text: last.text + node.text };
    } else if (!(isAlike && node.text === "")) result.push(node);
  }
  return result;
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
  // Marks without content would be literal.
  if (pieces.at(-1) === open) pieces.pop();
  else {
    open.pair = pieces.length;
    pieces.push(close);
  }
}

/** A mention if the name is valid in Snug, otherwise text. */
function formatMention(text: string): string {
  return /^[@#][\w.-]+$/.test(text) ? text : escapeText(text, false, false);
}

function addText(pieces: Piece[], text: string, isLabel: boolean, hasRooms = true): void {
  const last = pieces.at(-1);
  const startsLine = last === undefined || (last.type === "raw" && last.text.endsWith("\n"));
  const markdown = escapeText(text, startsLine && !isLabel, isLabel);
  const source = hasRooms ? markdown : markdown.replace(/(?<!\\)#(?=[a-z0-9])/gi, "\\#");
  pieces.push({ type: "raw", text: source });
}

/** Syntax that starts a block: a heading, a quote, a list, a thematic break, or a table's delimiter row. */
const BLOCK_START =
  /^([ \t]*)(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:[ \t]|$)|>|[-+](?:[\s-]|$)|[|:-][ \t|:-]*$))/gm;
const SPECIAL = /\\|`|\*+|_+|~+|[[\]<]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** Escapes only what Markdown would interpret, so that the stored text stays searchable and readable. */
function escapeText(text: string, startsLine: boolean, isLabel: boolean): string {
  const areBalanced = isLabel && hasBalancedBrackets(text);
  const markdown = text.replace(SPECIAL, (run, at: number) => {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + run.length);
    return isInert(run, before, after, isLabel, areBalanced) ? run : run.replace(/./g, "\\$&");
  });
  if (isLabel) return markdown;
  return markdown.replace(BLOCK_START, (start, indent: string, number: string | undefined, at) => {
    if (at === 0 && !startsLine) return start;
    return number === undefined ? `${indent}\\` : `${indent}${number}\\`;
  });
}

/** Whether Markdown treats a run of characters between these two as literal text; "" means unknown. */
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

/** Whether brackets are balanced, which is allowed in a label. */
function hasBalancedBrackets(text: string): boolean {
  if (text.includes("](")) return false;
  let depth = 0;
  for (const character of text) {
    if (character === "[") depth += 1;
    else if (character === "]" && --depth < 0) return false;
  }
  return depth === 0;
}

/** Works backward, since a URL or a mark depends on what follows. */
function joinPieces(pieces: Piece[]): string {
  const texts: string[] = [];
  let next = "";
  for (let i = pieces.length - 1; i >= 0; i -= 1) {
    const piece = pieces[i] as Piece;
    const before = lastOf(pieces[i - 1]);
    let text: string;
    if (piece.type === "raw") ({ text } = piece);
    else if (piece.type === "address") text = formatAddress(piece.url, before, next);
    else text = formatMark(pieces, piece, before, next);
    texts.push(text);
    next = (text + next).slice(0, LOOKAHEAD);
  }
  return texts.reverse().join("");
}

/** A bare URL if the parser would recognize exactly this URL; otherwise in angle brackets. */
function formatAddress(url: string, before: string, following: string): string {
  const isBare = !WORD.test(before) && readBareUrl(url + following, 0) === url;
  return isBare ? url : `<${url}>`;
}

/** Formats a mark so that Markdown parses it as the start or end of a style (`wire/markdown/emphasis.ts`). */
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

/** Chooses `_` or `*`: `_` next to a letter would be literal. Both ends use the same mark. */
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
