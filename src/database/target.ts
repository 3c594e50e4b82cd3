import type { Options } from "postgres";

export type Target = string | Options<Record<string, never>> | PooledTarget;

/** In transaction mode, such as PgBouncer. Sessions need a direct connection to PostgreSQL. */
export type PooledTarget = {
  pooler: string;
  /** The URL of PostgreSQL itself. */
  direct: string;
  /** Whether the pooler supports prepared statements, as PgBouncer does since version 1.21. */
  prepares: boolean;
};

/** For connections that need a session: LISTEN, migrations, locks that outlive a transaction. */
export function directOf(target: Target): Exclude<Target, PooledTarget> {
  return isPooled(target) ? target.direct : target;
}

export function isPooled(target: Target): target is PooledTarget {
  return typeof target !== "string" && "pooler" in target;
}

export function urlOf(target: Target): string {
  const direct = directOf(target);
  if (typeof direct === "string") return direct;
  const { host, port, username, database } = direct;
  return `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
}
