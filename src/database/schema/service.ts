import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { at, now } from "./columns.ts";

/** A job is waiting, running while its lease lasts, or failed. A finished job is deleted. */
export const jobs = pgTable(
  "jobs",
  {
    id: uuid("id").primaryKey(),
    kind: text("kind").notNull(),
    payload: jsonb("payload").notNull(),
    /** At most one job with this key waits or runs. */
    uniqueKey: text("unique_key"),
    createdAt: now("created_at"),
    runAt: now("run_at"),
    attempts: integer("attempts").notNull().default(0),
    maxAttempts: integer("max_attempts").notNull(),
    /** The process that runs the job, and the end of its lease. */
    lockedBy: uuid("locked_by"),
    lockedUntil: at("locked_until"),
    lastError: text("last_error"),
    failedAt: at("failed_at"),
  },
  (t) => [
    // Due jobs by kind and time; leases by their end; failed jobs by age, for administrators.
    index("jobs_due_by_kind")
      .on(t.kind, t.runAt)
      .where(sql`locked_by is null and failed_at is null`),
    index("jobs_leases")
      .on(t.lockedUntil)
      .where(sql`locked_by is not null`),
    index("jobs_failed")
      .on(t.id)
      .where(sql`failed_at is not null`),
    uniqueIndex("jobs_unique_key")
      .on(t.uniqueKey)
      .where(sql`failed_at is null`),
    check("jobs_payload", sql`jsonb_typeof(${t.payload}) = 'object'`),
    check("jobs_attempts", sql`${t.attempts} >= 0 and ${t.maxAttempts} > 0`),
    check("jobs_state", sql`${t.lockedBy} is null or ${t.failedAt} is null`),
    check("jobs_lease", sql`(${t.lockedBy} is null) = (${t.lockedUntil} is null)`),
  ],
);

/** The next due time of each periodic job. */
export const schedules = pgTable("schedules", {
  name: text("name").primaryKey(),
  nextAt: at("next_at").notNull(),
  /** When the newest backup was taken, by the job or manually; null for other jobs. */
  lastSuccessAt: at("last_success_at"),
});

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
