import type { Message } from "../../../src/wire/models.ts";
import type { OutboxEntry } from "../connection/outbox-entries.ts";
import { asksFor } from "../state/outbox/my-outbox.ts";
import { asPicture, continuesGallery, type Picture } from "../state/timeline/timeline-rows.ts";
import { store } from "../session/store.ts";

/** Waiting pictures that belong to the gallery of the newest stored message. */
export function takeTail(entries: OutboxEntry[], last: Message | undefined): OutboxEntry[] {
  const me = store.me.value?.id ?? "";
  const end = entries.findIndex((entry) => {
    const picture = asPendingPicture(entry, me);
    return !last || !picture || !continuesGallery(asPicture(last), picture);
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** A message that needs a decision (retry or discard) has a row of its own. */
export function asPendingPicture(entry: OutboxEntry, author_id: string): Picture | null {
  const { content, image, file, group_id = null } = entry;
  return asksFor(entry) ? null : { content, image, file, group_id, author_id };
}
