import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { RoomEventType } from "../../wire/events.ts";
import { ofUser } from "./accounts.ts";
import { at, bytes, choice, now, number, shortNumber } from "./columns.ts";

export const rooms = pgTable(
  "rooms",
  {
    id: uuid("id").primaryKey(),
    number: shortNumber(),
    /** A direct conversation is a room without a name and without an owner. */
    kind: choice("kind", ["room", "direct"], "room"),
    /** Null for a conversation. */
    name: text("name"),
    description: text("description"),
    privacy: text("privacy", { enum: ["open", "private"] }).notNull(),
    isArchived: boolean("is_archived").notNull().default(false),
    /** Whether everyone becomes a member at signup. */
    isDefault: boolean("is_default").notNull().default(false),
    /** If off, no new threads can be started; existing ones continue. */
    threads: choice("threads", ["on", "off"], "on"),
    createdAt: now("created_at"),
    /** Denormalized, so that lists of rooms need not count memberships. */
    memberCount: integer("member_count").notNull().default(0),
    /** The last number of the room's log. Assigning the next number requires this row's lock. */
    lastSeq: number("last_seq").notNull().default(0),
    lastMessageAt: at("last_message_at"),
    /** Set while a job deletes the rows. Such a room has no members and cannot be found. */
    deletedAt: at("deleted_at"),
    /** For a conversation: whether it was opened with oneself, one other person or several. */
    directKind: text("direct_kind", { enum: ["self", "pair", "group"] }),
    /**
     * SHA-256 of the members' ids, for finding an existing conversation of the same people. Null for a
     * room, a group that has shrunk below three, and a group whose set of members another conversation
     * has.
     */
    directKey: bytes("direct_key"),
    /** Nobody can post: the other person is deactivated, or all others have left. */
    isClosed: boolean("is_closed").notNull().default(false),
    /** Who may pin messages in a room. In a conversation everyone may. */
    pinning: choice("pinning", ["members", "admins"], "members"),
    /** Denormalized under the room's lock, so that lists of rooms need not count pins. */
    pinCount: integer("pin_count").notNull().default(0),
    /**
     * For a room that was converted from a group conversation: the last log number before the
     * conversion. Such a room stays private. Null for other rooms.
     */
    privateUntilSeq: number("private_until_seq"),
  },
  (t) => [
    uniqueIndex("rooms_number").on(t.number),
    uniqueIndex("rooms_name").on(t.name),
    check("rooms_name_form", sql`${t.name} ~ '^[a-z0-9]([a-z0-9_-]{0,38}[a-z0-9])?$'`),
    check("rooms_threads", sql`${t.threads} in ('on', 'off')`),
    check("rooms_privacy", sql`${t.privacy} in ('open', 'private')`),
    check("rooms_pinning", sql`${t.pinning} in ('members', 'admins')`),
    check("rooms_pin_count", sql`${t.pinCount} between 0 and 100`),
    uniqueIndex("rooms_direct_key").on(t.directKey),
    check("rooms_kind", sql`${t.kind} in ('room', 'direct')`),
    check("rooms_named", sql`(${t.kind} = 'direct') = (${t.name} is null)`),
    check(
      "rooms_direct_kind",
      sql`(${t.kind} = 'direct') = (${t.directKind} is not null)
        and ${t.directKind} in ('self', 'pair', 'group')`,
    ),
    check("rooms_direct_key_length", sql`octet_length(${t.directKey}) = 32`),
    check(
      "rooms_direct",
      sql`case when ${t.kind} = 'room' then ${t.directKey} is null and not ${t.isClosed}
        else ${t.privacy} = 'private' and not ${t.isArchived} and not ${t.isDefault} end`,
    ),
    check(
      "rooms_stay_private",
      sql`${t.privateUntilSeq} is null or (${t.privacy} = 'private' and not ${t.isDefault})`,
    ),
  ],
);

/** A column for the room of a row; the row is deleted with the room. */
export const ofRoom = () =>
  uuid("room_id")
    .notNull()
    .references(() => rooms.id, { onDelete: "cascade" });

export const membershipVersions = pgSequence("membership_versions");

export const memberships = pgTable(
  "memberships",
  {
    roomId: ofRoom(),
    userId: ofUser(),
    role: text("role", { enum: ["owner", "admin", "member"] }).notNull(),
    notify: choice("notify", ["all", "mentions", "none"], "all"),
    /** While this is in the future, the room is muted, whatever `notify` says. */
    mutedUntil: at("muted_until"),
    /** Whether all replies are pushed, or only those of followed threads. */
    threadPush: choice("thread_push", ["followed", "all"], "followed"),
    joinedAt: now("joined_at"),
    lastReadAt: now("last_read_at"),
    /** The read mark as a log number: exact even if two messages have the same time. */
    lastReadSeq: number("last_read_seq").notNull().default(0),
    /** When the room became one of the member's favourites; null if it is not. */
    pinnedAt: at("pinned_at"),
    /** Denormalized from the room, so that lists and sweeps of rooms can skip hundreds of conversations. */
    isDirect: boolean("is_direct").notNull().default(false),
    /** Whether this is a conversation that has been silent for a month (`rooms/direct/silence.ts`). */
    isSilent: boolean("is_silent").notNull().default(false),
    /** When the member hid the conversation. The next message shows it again. */
    hiddenAt: at("hidden_at"),
    /** Incremented by a trigger on every change, and greater than the version of any earlier membership. */
    version: number("version")
      .notNull()
      .default(sql`nextval('membership_versions')`),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.userId] }),
    index("memberships_user").on(t.userId, t.isDirect, t.isSilent),
    uniqueIndex("memberships_one_owner")
      .on(t.roomId)
      .where(sql`role = 'owner'`),
    check("memberships_direct", sql`${t.isDirect} or ${t.hiddenAt} is null`),
    check("memberships_role", sql`${t.role} in ('owner', 'admin', 'member')`),
    check("memberships_thread_push", sql`${t.threadPush} in ('followed', 'all')`),
    check("memberships_notify", sql`${t.notify} in ('all', 'mentions', 'none')`),
  ],
);

/** The ordered log of events in a room. Rows are small: the content is in the tables of messages. */
export const roomLog = pgTable(
  "room_log",
  {
    /** No foreign key, which would slow down every insert: the room is locked while a number is assigned. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    type: text("type").$type<RoomEventType>().notNull(),
    /** No foreign key: the row outlives a deleted message. */
    messageId: uuid("message_id"),
    userId: uuid("user_id"),
    /** Who added or removed the member; null for the service itself. */
    actorId: uuid("actor_id"),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.seq] }),
    // Partial, so that posting does not maintain it.
    index("room_log_joins")
      .on(t.roomId, t.seq)
      .where(sql`type = 'member_added'`),
  ],
);
