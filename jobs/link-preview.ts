import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../src/database/connect.ts";
import { linkPreviews, messages, rooms } from "../src/database/schema.ts";
import { append } from "../src/feed/append.ts";
import type { Handler } from "../src/jobs-queue/kinds.ts";

/** Tells a message's room of the preview that is kept of its URL, if there is one. */
export function linkPreview({ db }: Database): Handler<"link_preview"> {
  return ({ url, messageId }) =>
    db.transaction(async (tx) => {
      const find = () =>
        tx
          .select({ roomId: messages.roomId })
          .from(messages)
          .innerJoin(
            linkPreviews,
            sql`${linkPreviews.urlHash} = sha256(convert_to(${messages.previewUrl}, 'UTF8'))`,
          )
          .where(
            and(
              eq(messages.id, messageId),
              eq(messages.previewUrl, url),
              eq(linkPreviews.hasFailed, false),
            ),
          );
      const [first] = await find();
      if (!first) return;
      await tx
        .select({ id: rooms.id })
        .from(rooms)
        .where(eq(rooms.id, first.roomId))
        .for("no key update");
      // Again, as it is under the room's lock.
      const [message] = await find();
      if (message) await append(tx, message.roomId, { type: "link_preview", messageId });
    });
}
