import { index, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { at, now } from "./columns.ts";

/** Running processes. UNLOGGED: after a crash of PostgreSQL each process registers again. */
export const instances = pgTable("instances", {
  id: uuid("id").primaryKey(),
  heartbeatAt: now("heartbeat_at"),
});

/** UNLOGGED. Rows of an instance without a recent heartbeat do not count. */
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

/** When each person's last connection ended, to decide what they may have missed. */
export const visits = pgTable("visits", {
  /** No foreign key, because a row is written whenever a user's last socket closes. */
  userId: uuid("user_id").primaryKey(),
  endedAt: at("ended_at").notNull(),
});

/** The rooms people have open, and on which instance: messages there are not pushed to them. UNLOGGED. */
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
