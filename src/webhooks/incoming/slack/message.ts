import { type Json, formatLink, listOf, escapeMarkdown, textOf } from "../json.ts";
import { formatBlocks } from "./blocks.ts";
import { formatMrkdwn } from "./mrkdwn.ts";

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

/** `pretext`, author, title, text and fields; `fallback` if it has none of them. */
function formatAttachment(attachment: Json): string {
  const title = formatMrkdwn(textOf(attachment.title));
  const heading = title && `**${formatLink(title, attachment.title_link)}**`;
  const fields = listOf(attachment.fields).map((field) => {
    const name = formatMrkdwn(textOf(field.title));
    return [name && `**${name}:**`, formatMrkdwn(textOf(field.value))].filter(Boolean).join(" ");
  });
  const author = escapeMarkdown(textOf(attachment.author_name));
  const image = formatLink("Image", attachment.image_url);
  const parts = [
    formatMrkdwn(textOf(attachment.pretext)),
    author && formatLink(author, attachment.author_link),
    heading,
    formatMrkdwn(textOf(attachment.text)),
    fields.filter(Boolean).join("\n"),
    formatBlocks(attachment.blocks),
    image === "Image" ? "" : image,
    escapeMarkdown(textOf(attachment.footer)),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join("\n") : formatMrkdwn(textOf(attachment.fallback));
}
