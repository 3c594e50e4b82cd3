import { type Json, formatLink, listOf, escapeMarkdown, objectOf, textOf } from "../json.ts";
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
      return [
        formatText(block.text),
        ...listOf(block.fields).map(formatText),
        formatAccessory(block.accessory),
      ]
        .filter(Boolean)
        .join("\n");
    case "context":
      return listOf(block.elements).map(formatElement).filter(Boolean).join(" ");
    case "actions":
      return listOf(block.elements).map(formatElement).filter(Boolean).join(" · ");
    case "image":
      return formatElement(block);
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
  return type === "plain_text" ? escapeMarkdown(textOf(words)) : formatMrkdwn(textOf(words));
}

function formatElement(element: Json): string {
  if (element.type === "image") {
    const words = escapeMarkdown(textOf(element.alt_text) || formatText(element.title) || "Image");
    return formatLink(words, element.image_url);
  }
  // A button without an address has no function here.
  if (element.type === "button")
    return element.url ? formatLink(formatText(element.text), element.url) : "";
  return formatText(element);
}

function formatAccessory(accessory: unknown): string {
  return accessory ? formatElement(objectOf(accessory)) : "";
}

function formatBold(words: string): string {
  return words && `**${words}**`;
}
