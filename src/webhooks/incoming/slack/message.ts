import { type Json, link, listOf, literal, textOf } from "../json.ts";
import { blocks } from "./blocks.ts";
import { mrkdwn } from "./mrkdwn.ts";

/**
 * The text of a message in Slack's form: `text`, or `blocks`, of which `text` is only the summary,
 * and below it what is attached.
 * @returns "" where there is none
 */
export function readSlack(payload: Json): string {
  const built = blocks(payload.blocks);
  const text = built || mrkdwn(textOf(payload.text));
  return [text, ...listOf(payload.attachments).map(attachment)].filter(Boolean).join("\n\n");
}

/** `pretext`, who and what it is about, its text and fields; `fallback` where nothing else is said. */
function attachment(given: Json): string {
  const title = mrkdwn(textOf(given.title));
  const head = title && `**${link(title, given.title_link)}**`;
  const fields = listOf(given.fields).map((field) => {
    const name = mrkdwn(textOf(field.title));
    return [name && `**${name}:**`, mrkdwn(textOf(field.value))].filter(Boolean).join(" ");
  });
  const author = literal(textOf(given.author_name));
  const image = link("Image", given.image_url);
  const said = [
    mrkdwn(textOf(given.pretext)),
    author && link(author, given.author_link),
    head,
    mrkdwn(textOf(given.text)),
    fields.filter(Boolean).join("\n"),
    blocks(given.blocks),
    image === "Image" ? "" : image,
    literal(textOf(given.footer)),
  ].filter(Boolean);
  return said.length > 0 ? said.join("\n") : mrkdwn(textOf(given.fallback));
}
