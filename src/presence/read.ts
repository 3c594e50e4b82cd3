import { type SQL, sql } from "drizzle-orm";
import type { Status } from "../wire/models.ts";
import { LEASE_SECONDS } from "./presence.ts";

/** SQL condition that a row of `instances` has a current heartbeat. */
export const IS_LIVE = `heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'`;

/**
 * SQL condition that the user in a row of `users` is connected to a live instance and does not appear
 * offline.
 */
export const IS_ONLINE = `(not users.appear_offline and exists (
  select from presence where user_id = users.id and instance_id = any(array(select id from instances where ${IS_LIVE}))))`;

/** `IS_ONLINE` as a column of a query over `users`. */
export const isOnline = sql.raw(IS_ONLINE) as SQL<boolean>;

export function toStatus(online: boolean): Status {
  return online ? "online" : "offline";
}
