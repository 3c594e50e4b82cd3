import { QUOTE_EXCERPT_LENGTH, ROOT_EXCERPT_LENGTH } from "../../../../src/wire/limits.ts";
import { makeExcerpt } from "../../../../src/wire/markdown/plain.ts";
import type { Message, Quote, ReplyRoot } from "../../../../src/wire/models.ts";

/** A message in the form in which quotes show it. */
export function quoteOf(message: Message): Quote {
  const { id, author, content, image, file, created_at } = message;
  if (message.deleted_at) return { id, is_gone: true };
  const excerpt = makeExcerpt(content, QUOTE_EXCERPT_LENGTH);
  return { id, author, excerpt, has_image: image !== null, has_file: file !== null, created_at };
}

/** A root in the form in which its replies show it. */
export function rootOf({ id, author, content, thread }: Message): ReplyRoot {
  const name = author.display_name ?? author.username;
  const named = { id: author.id, name, profile_version: author.profile_version };
  const excerpt = makeExcerpt(content, ROOT_EXCERPT_LENGTH);
  return { id, author: named, title: thread?.title ?? null, excerpt };
}
