import { type Json, listOf, textOf } from "../json.ts";
import { escapeMarkdown, formatLink, formatTextLink, joinLines } from "../markdown.ts";
import { formatBlocks } from "./blocks.ts";
import { formatMrkdwn, toPlainWords } from "./mrkdwn.ts";

/** Whether this is Slack's form: nothing else has these fields. */
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
  const text = fromBlocks || formatMrkdwn(textOf(payload.text));
  return [text, ...listOf(payload.attachments).map(formatAttachment)].filter(Boolean).join("\n\n");
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
  return [name && `**${escapeMarkdown(name)}:**`, words].filter(Boolean).join(separator);
}

/** A button that leads somewhere; another one has no function here. */
function formatAction({ text, name, url }: Json): string {
  const words = toPlainWords(textOf(text) || textOf(name) || textOf(url));
  const link = formatTextLink(words, url);
  return link === escapeMarkdown(words) ? "" : link;
}
