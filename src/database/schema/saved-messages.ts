import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { ofUser } from "./accounts.ts";
import { at, now } from "./columns.ts";
import { ofMessage } from "./messages.ts";

/** Messages saved for later, visible only to the user who saved them. */
export const savedMessages = pgTable(
  "saved_messages",
  {
    userId: ofUser(),
    messageId: ofMessage(),
    /** The message's room, to check whether the user can still read it. */
    roomId: uuid("room_id").notNull(),
    savedAt: now("saved_at"),
    note: text("note"),
    remindAt: at("remind_at"),
    remindedAt: at("reminded_at"),
    doneAt: at("done_at"),
    /** When a job found that the user can no longer read the message; null while they can. */
    hiddenSince: at("hidden_since"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.messageId] }),
    index("saved_messages_list").on(t.userId, t.doneAt, t.savedAt.desc().nullsFirst()),
    index("saved_messages_message").on(t.messageId),
    index("saved_messages_due")
      .on(t.remindAt)
      .where(sql`remind_at is not null and reminded_at is null`),
    check("saved_messages_note", sql`char_length(${t.note}) between 1 and 500`),
  ],
);
