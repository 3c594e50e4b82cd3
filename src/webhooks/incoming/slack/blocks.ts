import { type Json, listOf, objectOf, textOf } from "../json.ts";
import { escapeMarkdown, formatLink, formatTextLink, joinLines } from "../markdown.ts";
import { replaceEmojiNames } from "./emoji.ts";
import { formatMrkdwn } from "./mrkdwn.ts";
import { formatRichText } from "./rich-text.ts";

/** Formats Slack's Block Kit as Markdown, without its controls. */
export function formatBlocks(blocks: unknown): string {
  return listOf(blocks).map(formatBlock).filter(Boolean).join("\n\n");
}

function formatBlock(block: Json): string {
  switch (block.type) {
    case "header":
      return formatBold(formatText(block.text));
    case "section":
      return joinLines([
        formatText(block.text),
        ...listOf(block.fields).map(formatText),
        formatAccessory(block.accessory),
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
      return formatRichText(block.elements);
    default:
      return "";
  }
}

/** A text object: mrkdwn, or plain text, which is not formatted. */
function formatText(value: unknown): string {
  const { type, text: words } = objectOf(value);
  return type === "plain_text" ? escapeMarkdown(plainOf(value)) : formatMrkdwn(textOf(words));
}

/** The words of a text object, as they are. */
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
      return formatText(element);
  }
}

function isLinked({ url }: Json): boolean {
  return formatLink("x", url) !== "x";
}

function formatAccessory(accessory: unknown): string {
  return accessory ? formatElement(objectOf(accessory)) : "";
}

function formatBold(words: string): string {
  return words && `**${words}**`;
}
