import type { Options } from "postgres";

/** A URL, the options of the embedded server, or a pooler in front of a server. */
export type Target = string | Options<Record<string, never>> | PooledTarget;

/**
 * A pooler that gives a connection of PostgreSQL for one transaction at a time (PgBouncer, for example).
 * A session ends with its transaction there: what needs one, such as LISTEN, connects directly.
 */
export type PooledTarget = {
  /** Its URL. */
  pooler: string;
  /** The URL of PostgreSQL itself. */
  direct: string;
  /** Whether it keeps track of prepared statements, as PgBouncer does from version 1.21 on. */
  prepares: boolean;
};

/** Where a session lasts: for LISTEN, migrations, and locks that outlive a transaction. */
export function directOf(target: Target): Exclude<Target, PooledTarget> {
  return isPooled(target) ? target.direct : target;
}

export function isPooled(target: Target): target is PooledTarget {
  return typeof target !== "string" && "pooler" in target;
}

/** The target as a `DATABASE_URL` for another process. */
export function urlOf(target: Target): string {
  const direct = directOf(target);
  if (typeof direct === "string") return direct;
  const { host, port, username, database } = direct;
  return `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
}
