import { index, integer, pgTable, smallint, uuid } from "drizzle-orm/pg-core";
import { number, tsvector } from "./columns.ts";
import { rooms } from "./rooms.ts";

/** Updated asynchronously, so rows can be outdated: each result is checked. */
export const messageSearch = pgTable(
  "message_search",
  {
    /** No foreign key: it would lock the message's row. UUIDv7, so the newest message has the greatest id. */
    messageId: uuid("message_id").primaryKey(),
    roomId: uuid("room_id").notNull(),
    authorNumber: integer("author_number").notNull(),
    /** Words and filter tokens (`search/tokens.ts`). */
    words: tsvector("words").notNull(),
  },
  // No index on rooms or times: the planner would scan it and read far too many rows.
  (t) => [
    index("message_search_words")
      .using("gin", t.words)
      .with({ fastupdate: true, gin_pending_list_limit: 1_024 }),
  ],
);

/** How far each room's messages have been indexed. */
export const searchRooms = pgTable("search_rooms", {
  roomId: uuid("room_id")
    .primaryKey()
    .references(() => rooms.id, { onDelete: "cascade" }),
  /** The log number up to which the room's changes are indexed. */
  afterSeq: number("after_seq").notNull(),
  /** Messages from this number on are indexed; older ones are still to be indexed. 0 once all are. */
  backSeq: number("back_seq").notNull(),
  /** The tokenizer's version. A room with an older version is indexed again. */
  version: smallint("version").notNull(),
});
