import { type Json, listOf, objectOf, textOf } from "../json.ts";
import {
  formatFence,
  formatQuote,
  type Inline,
  joinLines,
  splitAddresses,
  type Style,
  toLink,
  writeMarkdown,
} from "../markdown.ts";
import { findEmoji, replaceEmojiNames } from "./emoji.ts";

const STYLES = ["strike", "italic", "bold"] as const satisfies Style[];

/** Formats Slack's rich text as Markdown. */
export function formatRichText(elements: unknown): string {
  return joinLines(listOf(elements).map(formatPart));
}

function formatPart(part: Json): string {
  const inside = () => writeMarkdown(listOf(part.elements).flatMap(readInline));
  switch (part.type) {
    case "rich_text_section":
      return inside();
    case "rich_text_preformatted":
      return formatFence(
        listOf(part.elements)
          .map((one) => untrimmedTextOf(one) || textOf(one.url))
          .join(""),
      );
    case "rich_text_quote":
      return formatQuote(inside());
    case "rich_text_list":
      return listOf(part.elements)
        .map((item, i) => formatItem(formatPart(item), part, i))
        .join("\n");
    default:
      return "";
  }
}

/** An item of a list, with its further lines below its first. */
function formatItem(text: string, { style, indent, offset }: Json, i: number): string {
  const first = Math.max(0, Number(offset) || 0) + 1;
  const mark = style === "ordered" ? `${first + i}. ` : "- ";
  const margin = "    ".repeat(Math.min(4, Math.max(0, Number(indent) || 0)));
  return margin + mark + text.replaceAll("\n", `\n${margin}${" ".repeat(mark.length)}`);
}

function readInline(inline: Json): Inline[] {
  const style = objectOf(inline.style);
  switch (inline.type) {
    case "text":
      return style.code
        ? [{ type: "code", text: untrimmedTextOf(inline) }]
        : readText(untrimmedTextOf(inline), style);
    case "link":
      return applyStyles(
        toLink([{ type: "text", text: untrimmedTextOf(inline) || textOf(inline.url) }], inline.url),
        style,
      );
    case "emoji":
      return [{ type: "text", text: readEmoji(inline) }];
    case "user":
      return [{ type: "mention", text: `@${textOf(inline.user_id)}` }];
    case "channel":
      return [{ type: "mention", text: `#${textOf(inline.channel_id)}` }];
    case "broadcast":
      return [{ type: "mention", text: inline.range === "here" ? "@here" : "@room" }];
    case "date":
      return [{ type: "text", text: textOf(inline.fallback) }];
    default:
      return [];
  }
}

/** Styles end with a line: across an empty one they would be text. */
function readText(text: string, style: Json): Inline[] {
  return text.split("\n").flatMap((line, i) => {
    const core = line.trim();
    const before = line.slice(0, line.length - line.trimStart().length);
    const after = core === "" ? "" : line.slice(before.length + core.length);
    return [
      { type: "text" as const, text: `${i > 0 ? "\n" : ""}${before}` },
      ...(core === "" ? [] : applyStyles(splitAddresses(replaceEmojiNames(core)), style)),
      { type: "text" as const, text: after },
    ];
  });
}

function applyStyles(nodes: Inline[], style: Json): Inline[] {
  let styled = nodes;
  for (const name of STYLES) if (style[name]) styled = [{ type: name, children: styled }];
  return styled;
}

function readEmoji({ name, skin_tone: tone }: Json): string {
  const code = textOf(name);
  const toned = tone ? `${code}::skin-tone-${textOf(tone)}` : code;
  return findEmoji(toned) ?? findEmoji(code) ?? `:${code}:`;
}

/** The text with its spaces, which separate it from its neighbours. */
function untrimmedTextOf(element: Json): string {
  return typeof element.text === "string" ? element.text : "";
}
