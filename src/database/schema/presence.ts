import { index, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { at, now } from "./columns.ts";

/** Running processes, and who is connected to them. */

/** Running processes. UNLOGGED: after a crash of PostgreSQL each of them registers again. */
export const instances = pgTable("instances", {
  id: uuid("id").primaryKey(),
  heartbeatAt: now("heartbeat_at"),
});

/** Who is connected, and where. Rows of an instance without a heartbeat do not count. UNLOGGED. */
export const presence = pgTable(
  "presence",
  {
    userId: uuid("user_id").notNull(),
    instanceId: uuid("instance_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.instanceId] }),
    index("presence_instance").on(t.instanceId),
  ],
);

/**
 * When people were last connected, including those who appear offline: the end of their last
 * connection. Never shown. It decides what someone may have missed.
 */
export const visits = pgTable("visits", {
  /** No foreign key: a row is written whenever a last socket closes. */
  userId: uuid("user_id").primaryKey(),
  endedAt: at("ended_at").notNull(),
});

/** Who has which room open, and where: what is posted there is not pushed to them. UNLOGGED. */
export const openRooms = pgTable(
  "open_rooms",
  {
    roomId: uuid("room_id").notNull(),
    userId: uuid("user_id").notNull(),
    instanceId: uuid("instance_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.userId, t.instanceId] }),
    index("open_rooms_instance").on(t.instanceId),
  ],
);
