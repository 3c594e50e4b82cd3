import { type Json, link, listOf, literal, objectOf, textOf } from "../json.ts";
import { mrkdwn } from "./mrkdwn.ts";
import { richText } from "./rich-text.ts";

/** Slack's Block Kit as Markdown: what is read, not what is pressed. "" where there is none. */
export function blocks(given: unknown): string {
  return listOf(given).map(block).filter(Boolean).join("\n\n");
}

function block(given: Json): string {
  switch (given.type) {
    case "header":
      return bold(text(given.text));
    case "section":
      return [text(given.text), ...listOf(given.fields).map(text), accessory(given.accessory)]
        .filter(Boolean)
        .join("\n");
    case "context":
      return listOf(given.elements).map(element).filter(Boolean).join(" ");
    case "actions":
      return listOf(given.elements).map(element).filter(Boolean).join(" · ");
    case "image":
      return element(given);
    case "markdown":
      return textOf(given.text);
    case "rich_text":
      return richText(given.elements);
    default:
      return "";
  }
}

/** A text object: mrkdwn, or plain text, which is meant as it stands. */
function text(given: unknown): string {
  const { type, text: words } = objectOf(given);
  return type === "plain_text" ? literal(textOf(words)) : mrkdwn(textOf(words));
}

function element(given: Json): string {
  if (given.type === "image") {
    const words = literal(textOf(given.alt_text) || text(given.title) || "Image");
    return link(words, given.image_url);
  }
  // A button leads somewhere or does nothing here.
  if (given.type === "button") return given.url ? link(text(given.text), given.url) : "";
  return text(given);
}

function accessory(given: unknown): string {
  return given ? element(objectOf(given)) : "";
}

function bold(words: string): string {
  return words && `**${words}**`;
}
