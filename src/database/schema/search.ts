import { index, integer, pgTable, smallint, uuid } from "drizzle-orm/pg-core";
import { number, tsvector } from "./columns.ts";
import { rooms } from "./rooms.ts";

/** The search index. */

/**
 * What messages are found by. It is fed from the rooms' logs after the fact, so a row can be missing,
 * old, or left over: each result is checked against its message.
 */
export const messageSearch = pgTable(
  "message_search",
  {
    /** No foreign key: it would lock the message's row. UUIDv7, so the newest is the greatest. */
    messageId: uuid("message_id").primaryKey(),
    roomId: uuid("room_id").notNull(),
    authorNumber: integer("author_number").notNull(),
    /** Words, and tokens for filters (`search/tokens.ts`). */
    words: tsvector("words").notNull(),
  },
  // No index on rooms or times: the planner would walk it instead, and read far too much.
  (t) => [
    index("message_search_words")
      .using("gin", t.words)
      .with({ fastupdate: true, gin_pending_list_limit: 1_024 }),
  ],
);

/** How much of a room's messages `message_search` holds. */
export const searchRooms = pgTable("search_rooms", {
  roomId: uuid("room_id")
    .primaryKey()
    .references(() => rooms.id, { onDelete: "cascade" }),
  /** The room's log is followed up to here. */
  afterSeq: number("after_seq").notNull(),
  /** Messages from this number on are indexed, older ones are still to be indexed; 0 when all are. */
  backSeq: number("back_seq").notNull(),
  /** The version of the tokenizer. A room with an older one is indexed again. */
  version: smallint("version").notNull(),
});
