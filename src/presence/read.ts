import { type SQL, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import type { Status } from "../wire/models.ts";
import { LEASE_SECONDS } from "./presence.ts";

/**
 * Whether the user of the row is online: connected to a live instance, unless the user
 * chose to appear offline. A column for a query over `users`.
 */
export const isOnline: SQL<boolean> = sql<boolean>`(not ${users.appearOffline} and exists (
  select from presence p join instances i on i.id = p.instance_id
  where p.user_id = ${users.id}
    and i.heartbeat_at > clock_timestamp() - ${sql.raw(String(LEASE_SECONDS))} * interval '1 second'))`;

export function toStatus(online: boolean): Status {
  return online ? "online" : "offline";
}
