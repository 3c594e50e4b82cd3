import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  uuid,
} from "drizzle-orm/pg-core";
import type { Section } from "../../wire/sections.ts";
import { userKey } from "./accounts.ts";
import { number } from "./columns.ts";

/** The sections of each user's sidebar, visible only to that user. */

export const sectionLists = pgTable("section_lists", {
  userId: userKey(),
  /** Counts the user's changes; 0 while the sections are the default with which the account started. */
  version: number("version").notNull(),
  /** In the order in which they are shown. */
  sections: jsonb("sections").$type<Omit<Section, "room_ids">[]>().notNull(),
});

/** A row of a user who is not yet a member is a default that applies after joining. */
export const sectionRooms = pgTable(
  "section_rooms",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => sectionLists.userId, { onDelete: "cascade" }),
    /** No foreign key: its lock would deadlock a signup with a deletion of a default room. */
    roomId: uuid("room_id").notNull(),
    sectionId: uuid("section_id").notNull(),
    position: integer("position").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.roomId] }), index("section_rooms_room").on(t.roomId)],
);

/** The sections with which new accounts start: at most one row. */
export const defaultSections = pgTable(
  "default_sections",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    version: number("version").notNull(),
    sections: jsonb("sections").$type<Section[]>().notNull(),
  },
  (t) => [check("default_sections_is_only", sql`${t.isOnly}`)],
);
