import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { byUser, users } from "./accounts.ts";
import { at, bytes, now } from "./columns.ts";
import { ofRoom } from "./rooms.ts";

/** Signup links for one person. The raw token exists only in the link. */
export const invites = pgTable(
  "invites",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    /** Together with the secret key, the input from which the token of an emailed link is derived. */
    tokenId: uuid("token_id"),
    /** Null for the first administrator's link, which is void once an account exists. */
    email: text("email"),
    /** Null if the invite was created from the command line. */
    invitedBy: uuid("invited_by").references(() => users.id),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
    acceptedAt: at("accepted_at"),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("invites_token_hash").on(t.tokenHash),
    index("invites_email").on(t.email),
    check("invites_email_folded", sql`${t.email} = lower(${t.email})`),
    check("invites_one_end", sql`num_nonnulls(${t.acceptedAt}, ${t.revokedAt}) < 2`),
  ],
);

/** Rooms that the invited person joins at signup. */
export const inviteRooms = pgTable(
  "invite_rooms",
  {
    inviteId: uuid("invite_id")
      .notNull()
      .references(() => invites.id, { onDelete: "cascade" }),
    roomId: ofRoom(),
  },
  (t) => [primaryKey({ columns: [t.inviteId, t.roomId] }), index("invite_rooms_room").on(t.roomId)],
);

/** Signup links that several people can use. */
export const inviteLinks = pgTable(
  "invite_links",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    /** With the secret key it yields the token, so that the link can be shown again. */
    tokenId: uuid("token_id").notNull(),
    createdBy: byUser("created_by"),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
    maxUses: integer("max_uses").notNull(),
    uses: integer("uses").notNull().default(0),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("invite_links_token_hash").on(t.tokenHash),
    check("invite_links_uses", sql`${t.uses} between 0 and ${t.maxUses}`),
  ],
);
