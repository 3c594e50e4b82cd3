import { type Json, listOf, objectOf, textOf } from "../json.ts";
import {
  escapeMarkdown,
  formatFence,
  formatLink,
  formatQuote,
  formatTextLink,
  type Inline,
  joinLines,
  splitAddresses,
  type Style,
  toLink,
  writeMarkdown,
} from "../markdown.ts";
import { formatMrkdwn, toPlainWords } from "./mrkdwn.ts";
import { findEmoji, replaceEmojiNames } from "./emoji.ts";

/** Whether the payload is in Slack's format, the only one with these fields. */
export function isSlackMessage(payload: Json): boolean {
  const { text, blocks, attachments } = payload;
  return textOf(text) !== "" || Array.isArray(blocks) || Array.isArray(attachments);
}

/**
 * Formats a message of Slack as Markdown: its `blocks`, or else its `text`, which only summarizes
 * them, and then its attachments.
 * @returns "" if it has no text
 */
export function formatSlackMessage(payload: Json): string {
  const fromBlocks = formatBlocks(payload.blocks);
  const text = fromBlocks || formatMessageText(payload);
  return [text, ...listOf(payload.attachments).map(formatAttachment)].filter(Boolean).join("\n\n");
}

/** The text, whose markup a sender may turn off. */
function formatMessageText({ text, mrkdwn }: Json): string {
  const words = textOf(text);
  return mrkdwn === false ? escapeMarkdown(toPlainWords(words)) : formatMrkdwn(words);
}

/** `pretext`, author, title, text, fields and buttons; `fallback` if it has none of them. */
function formatAttachment(attachment: Json): string {
  const title = toPlainWords(textOf(attachment.title));
  const author = toPlainWords(textOf(attachment.author_name));
  const image = formatLink("Image", attachment.image_url);
  const text = joinLines([
    formatMrkdwn(textOf(attachment.pretext)),
    formatTextLink(author, author && attachment.author_link),
    title && `**${formatTextLink(title, attachment.title_link)}**`,
    formatMrkdwn(textOf(attachment.text)),
    ...listOf(attachment.fields).map(formatField),
    formatBlocks(attachment.blocks),
    image === "Image" ? "" : image,
    listOf(attachment.actions).map(formatAction).filter(Boolean).join(" · "),
    escapeMarkdown(toPlainWords(textOf(attachment.footer))),
  ]);
  return text || formatMrkdwn(textOf(attachment.fallback));
}

function formatField({ title, value }: Json): string {
  const name = toPlainWords(textOf(title));
  const words = typeof value === "boolean" ? String(value) : formatMrkdwn(textOf(value));
  const separator = words.startsWith("```") || words.startsWith(">") ? "\n" : " ";
  const colon = /[:?!.]$/.test(name) ? "" : ":";
  return [name && `**${escapeMarkdown(name)}${colon}**`, words].filter(Boolean).join(separator);
}

/** A button with a URL; buttons without one have no function here. */
function formatAction({ text, name, url }: Json): string {
  const label = textOf(text) || textOf(objectOf(text).text) || textOf(name);
  const words = toPlainWords(label || textOf(url));
  const link = formatTextLink(words, url);
  return link === escapeMarkdown(words) ? "" : link;
}

/** Formats Slack's Block Kit as Markdown, without its controls. */
function formatBlocks(blocks: unknown): string {
  return listOf(blocks).map(formatBlock).filter(Boolean).join("\n\n");
}

function formatBlock(block: Json): string {
  switch (block.type) {
    case "header": {
      const words = formatTextObject(block.text);
      return words && `**${words}**`;
    }
    case "section":
      return joinLines([
        formatTextObject(block.text),
        ...listOf(block.fields).map(formatTextObject),
        block.accessory ? formatElement(objectOf(block.accessory)) : "",
      ]);
    case "context":
      return listOf(block.elements).map(formatElement).filter(Boolean).join(" ");
    case "actions":
      return listOf(block.elements).map(formatElement).filter(Boolean).join(" · ");
    case "image":
      return formatElement(block);
    case "video":
      return formatTextLink(plainOf(block.title) || "Video", block.title_url ?? block.video_url);
    case "markdown":
      return textOf(block.text);
    case "rich_text":
      return joinLines(listOf(block.elements).map(formatPart));
    default:
      return "";
  }
}

/** A text object: mrkdwn, or plain text, which is not formatted. */
function formatTextObject(value: unknown): string {
  const { type, text: words } = objectOf(value);
  return type === "plain_text" ? escapeMarkdown(plainOf(value)) : formatMrkdwn(textOf(words));
}

function plainOf(value: unknown): string {
  return replaceEmojiNames(textOf(objectOf(value).text));
}

function formatElement(element: Json): string {
  switch (element.type) {
    case "image": {
      const words = textOf(element.alt_text) || plainOf(element.title) || "Image";
      return formatTextLink(words, element.image_url);
    }
    // A button without an address has no function here.
    case "button":
      return isLinked(element) ? formatTextLink(plainOf(element.text), element.url) : "";
    case "overflow":
      return listOf(element.options)
        .filter(isLinked)
        .map((option) => formatTextLink(plainOf(option.text), option.url))
        .join(" · ");
    default:
      return formatTextObject(element);
  }
}

function isLinked({ url }: Json): boolean {
  return formatLink("x", url) !== "x";
}

const STYLES = ["strike", "italic", "bold"] as const satisfies Style[];

function formatPart(part: Json): string {
  const inside = () => writeMarkdown(listOf(part.elements).flatMap(readInline));
  switch (part.type) {
    case "rich_text_section":
      return inside();
    case "rich_text_preformatted":
      return formatFence(
        listOf(part.elements)
          .map((child) => untrimmedTextOf(child) || textOf(child.url))
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

/** A list item, with its further lines indented below the first. */
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
    case "usergroup":
      return [{ type: "mention", text: `@${textOf(inline.usergroup_id)}` }];
    case "color":
      return [{ type: "text", text: textOf(inline.value) }];
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

/** Styles end at a line break: across an empty line their marks would be literal text. */
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
  let styledNodes = nodes;
  for (const name of STYLES) if (style[name]) styledNodes = [{ type: name, children: styledNodes }];
  return styledNodes;
}

function readEmoji({ name, skin_tone: tone }: Json): string {
  const code = textOf(name);
  const codeWithTone = tone ? `${code}::skin-tone-${textOf(tone)}` : code;
  return findEmoji(codeWithTone) ?? findEmoji(code) ?? `:${code}:`;
}

/** The text with its surrounding spaces, which separate it from adjacent elements. */
function untrimmedTextOf(element: Json): string {
  return typeof element.text === "string" ? element.text : "";
}
