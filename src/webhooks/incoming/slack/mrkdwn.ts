import { readBareUrl } from "../../../wire/markdown/tokens.ts";
import {
  formatFence,
  formatQuote,
  type Inline,
  joinLines,
  type Style,
  toLink,
  writeMarkdown,
} from "../markdown.ts";
import { replaceEmojiNames } from "./emoji.ts";

/**
 * Formats Slack's mrkdwn as Markdown (Slack: "Formatting text for app surfaces"). The input is parsed
 * into nodes first. Anything that is not mrkdwn is literal text, even if it has a meaning in Markdown.
 */
export function formatMrkdwn(source: string): string {
  return formatBlocks(source, true).trim();
}

/** Converts Slack text without styles, such as a title, to plain text: links become their labels. */
export function toPlainWords(source: string): string {
  const words = source.replace(/<([^<>\n]+)>/g, (_, inside: string) =>
    readBracket(inside).map(wordsOf).join(""),
  );
  return replaceEmojiNames(decodeEntities(words));
}

function wordsOf(node: Inline): string {
  if ("children" in node) return node.children.map(wordsOf).join("");
  // Encoded here because it is decoded with the rest.
  return encodeEntities(node.type === "address" ? node.url : node.text);
}

function formatBlocks(source: string, hasQuotes: boolean): string {
  const parts: string[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf("```", at);
    const close = open === -1 ? -1 : source.indexOf("```", open + 3);
    const end = close > open + 3 ? open : source.length;
    const text = source.slice(at, end);
    const rest = hasQuotes ? /^(?:>|&gt;){3} ?/m.exec(text) : null;
    if (rest) {
      const start = at + rest.index;
      const quote = formatBlocks(source.slice(start + rest[0].length), false).trim();
      parts.push(...formatLines(source.slice(at, start).replace(/\n$/, ""), true));
      if (quote !== "") parts.push(formatQuote(quote));
      return joinLines(parts);
    }
    const isLast = end === source.length;
    const isQuoted = hasQuotes && !isLast && ENDS_IN_QUOTE.test(text);
    const before = isQuoted ? text.replace(EMPTY_QUOTE_AT_END, "") : text;
    // The text between a fence and its content is the fence's line break.
    const isAfter = at > 0;
    parts.push(...formatLines(trimBreak(before, isAfter, !isLast), hasQuotes));
    if (isLast) break;
    const code = decodeEntities(source.slice(open + 3, close)).replace(/^\n|\n$/g, "");
    parts.push(isQuoted ? formatQuote(formatFence(code)) : formatFence(code));
    at = close + 3;
  }
  return joinLines(parts);
}

/** Matches text that ends in a quoted line. A code block after it belongs to the quote. */
const ENDS_IN_QUOTE = /(?:^|\n)(?:>|&gt;)[^\n]*$/;
const EMPTY_QUOTE_AT_END = /(?:^|\n)(?:>|&gt;) ?$/;

function trimBreak(text: string, isAfter: boolean, isBefore: boolean): string {
  const afterStart = isAfter ? text.replace(/^\n/, "") : text;
  return isBefore ? afterStart.replace(/\n$/, "") : afterStart;
}

/** Lines of text, and quotes of lines that begin with `>`. */
function formatLines(text: string, hasQuotes: boolean): string[] {
  const groups: { isQuote: boolean; lines: string[] }[] = [];
  const source = text.replace(/<[^<>|\n]+\|[^<>]*>/g, (link) => link.replace(/\s*\n\s*/g, " "));
  for (const line of source.split("\n")) {
    const mark = hasQuotes ? /^(?:>|&gt;) ?/.exec(line) : null;
    const isQuote = mark !== null;
    const last = groups.at(-1);
    const content = line.slice(mark?.[0].length ?? 0);
    if (last?.isQuote === isQuote) last.lines.push(content);
    else groups.push({ isQuote, lines: [content] });
  }
  return groups.map(({ isQuote, lines }) => {
    const nodes = lines.flatMap((line, i): Inline[] => [
      ...(i > 0 ? [{ type: "text" as const, text: "\n" }] : []),
      ...readLine(line),
    ]);
    const markdown = writeMarkdown(nodes);
    return isQuote ? formatQuote(markdown) : markdown;
  });
}

/** A node, or a mark that may open or close a style. */
type Token = { node: Inline } | { mark: string; opens: boolean; closes: boolean };

/** Limits the length of URLs, so that none is scanned to the end of the text. */
const TOKEN =
  /<[^<>\n]+>|(?<![\p{L}\p{N}])(?:https?:\/\/(?:(?!&[lg]t;)[^\s<>"`]){1,2100}|:[a-z0-9_+'-]{1,64}:(?::skin-tone-[2-6](?:-[2-6])?:)?)|`|\*+|_+|~+/giu;
/** `**` is Markdown, which senders such as Grafana send to Slack as well. */
const STYLES = new Map<string, Style>([
  ["*", "bold"],
  ["**", "bold"],
  ["_", "italic"],
  ["~", "strike"],
]);
const WORD = /[\p{L}\p{N}]|(?!\ufe0f)\p{M}/u;

function readLine(line: string): Inline[] {
  return pairMarks(readTokens(line));
}

function readTokens(line: string): Token[] {
  const tokens: Token[] = [];
  const codeEnds = findCode(line);
  let at = 0;
  TOKEN.lastIndex = 0;
  const text = (to: number) => {
    if (to <= at) return;
    const words = replaceEmojiNames(decodeEntities(line.slice(at, to)));
    tokens.push({ node: { type: "text", text: words } });
  };
  for (let match = nextToken(line, 0); match; match = nextToken(line, at)) {
    const [token] = match;
    const { index } = match;
    text(index);
    at = index + token.length;
    const codeEnd = token === "`" ? codeEnds.get(index) : undefined;
    if (codeEnd !== undefined) {
      tokens.push({ node: { type: "code", text: decodeEntities(line.slice(index + 1, codeEnd)) } });
      at = codeEnd + 1;
    } else if (token.startsWith("<")) {
      for (const node of readBracket(token.slice(1, -1))) tokens.push({ node });
    } else if (/^https?:/i.test(token)) {
      at = index + addAddress(tokens, token);
    } else if (token.startsWith(":")) {
      const emoji = replaceEmojiNames(token);
      // The last colon may start the next emoji name.
      if (emoji === token) at -= 1;
      tokens.push({ node: { type: "text", text: emoji === token ? token.slice(0, -1) : emoji } });
    } else if (STYLES.has(token)) {
      const before = line.charAt(index - 1);
      const after = line.charAt(at);
      const opens = /\S/.test(after) && !WORD.test(before) && before !== "\\";
      const closes = /\S/.test(before) && !WORD.test(after);
      tokens.push({ mark: token, opens, closes });
    } else tokens.push({ node: { type: "text", text: token } });
  }
  text(line.length);
  return tokens;
}

function nextToken(line: string, from: number): RegExpExecArray | null {
  TOKEN.lastIndex = from;
  return TOKEN.exec(line);
}

/** Adds a URL in the text. @returns the length that was consumed, without trailing punctuation */
function addAddress(tokens: Token[], source: string): number {
  const text = decodeEntities(source);
  const url = readBareUrl(text, 0);
  if (url === null) {
    tokens.push({ node: { type: "text", text } });
    return source.length;
  }
  tokens.push({ node: { type: "address", url } });
  return encodedLength(source, url.length);
}

/** Converts a length to the encoded text, in which each `&` is written as `&amp;`. */
function encodedLength(text: string, length: number): number {
  let at = 0;
  for (let i = 0; i < length; i += 1) at += /^&amp;/.test(text.slice(at, at + 5)) ? 5 : 1;
  return at;
}

/** Maps the start of each code span to its end. Ignores backticks in brackets, and apostrophes. */
function findCode(line: string): Map<number, number> {
  const ends = new Map<number, number>();
  let open = -1;
  for (const { 0: token, index } of line.matchAll(/<[^<>\n]+>|`/g)) {
    if (token !== "`") continue;
    if (open === -1 || index === open + 1) {
      open = index;
      continue;
    }
    const isWord = WORD.test(line.charAt(open - 1)) && WORD.test(line.charAt(index + 1));
    if (isWord) open = index;
    else {
      ends.set(open, index);
      open = -1;
    }
  }
  return ends;
}

/** Converts matching marks to styles; other marks are literal text. */
function pairMarks(tokens: Token[]): Inline[] {
  const ends = findPairs(tokens);
  const starts = new Set(ends.values());
  const open: { style: Style; children: Inline[] }[] = [];
  let into: Inline[] = [];
  const outer: Inline[][] = [];
  tokens.forEach((token, i) => {
    if ("node" in token) into.push(token.node);
    else if (starts.has(i)) {
      outer.push(into);
      into = [];
      open.push({ style: STYLES.get(token.mark) as Style, children: into });
    } else if (ends.has(i)) {
      const { style, children } = open.pop() as (typeof open)[number];
      into = outer.pop() as Inline[];
      into.push({ type: style, children });
    } else addMark(into, token.mark);
  });
  return into;
}

/** A mark directly after a URL that closes no style belongs to the URL. */
function addMark(into: Inline[], mark: string): void {
  const last = into.at(-1);
  if (last?.type === "address") last.url += mark;
  else into.push({ type: "text", text: mark });
}

/** @returns the positions of opening marks by those of their closing marks */
function findPairs(tokens: Token[]): Map<number, number> {
  const pairs = new Map<number, number>();
  /** The last mark of each kind that may open a style. */
  const openers = new Map<string, number>();
  tokens.forEach((token, i) => {
    if ("node" in token) return;
    const opener = openers.get(token.mark);
    if (token.closes && opener !== undefined && opener < i - 1) {
      pairs.set(i, opener);
      // Styles do not overlap.
      for (const [mark, at] of openers) if (at >= opener) openers.delete(mark);
    } else if (token.opens) openers.set(token.mark, i);
  });
  return pairs;
}

/** URL schemes that run code, which are shown as literal text. */
const RUNS_CODE = /^(?:javascript|data|vbscript):/i;

/** `<url|label>`, `<@U1|name>`, `<#C1|name>`, `<!here>`, `<!date^…|words>`. */
function readBracket(inside: string): Inline[] {
  const [target = "", label = ""] = inside.split(/\|(.*)/s);
  const words = decodeEntities(label);
  const mention = (text: string): Inline[] => [{ type: "mention", text }];
  if (target.startsWith("@")) return mention(`@${words.replace(/^@/, "") || target.slice(1)}`);
  if (target.startsWith("#")) return mention(`#${words.replace(/^#/, "") || target.slice(1)}`);
  if (/^!(?:channel|everyone|group)$/.test(target)) return mention("@room");
  if (target === "!here") return mention("@here");
  if (/^!subteam\^/.test(target)) return mention(`@${words.replace(/^@/, "") || "subteam"}`);
  if (/^![a-z]/.test(target)) {
    return [{ type: "text", text: words || `@${target.slice(1).split("^")[0]}` }];
  }
  const url = decodeEntities(target);
  if (/^(?:https?:\/\/|mailto:)/i.test(url)) return toLink(label ? readLine(label) : [], url);
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!:)/i.test(url) && !RUNS_CODE.test(url);
  if (hasScheme && words) return readLine(label);
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|tel:|sms:)/i.test(url)) return [{ type: "text", text: url }];
  return [{ type: "text", text: `<${decodeEntities(inside)}>` }];
}

function decodeEntities(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

function encodeEntities(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
