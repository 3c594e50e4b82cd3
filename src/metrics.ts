import { readLastBackup } from "./backup/scheduled.ts";
import { countConnections, type SqlClient } from "./database/connect.ts";
import type { Feed } from "./feed/feed.ts";
import { type QueueDepth, readQueueDepth } from "./jobs-queue/queue.ts";
import type { Metrics } from "./platform/metrics.ts";
import { readSearchLag } from "./search/status.ts";
import type { ConnectionRegistry } from "./socket/connection-registry.ts";

export function registerGauges(
  metrics: Metrics,
  sql: SqlClient,
  connections: ConnectionRegistry,
  feed: Feed,
  takesBackups = false,
): void {
  metrics.gauge("connections", "Open sockets", () => connections.socketCount);
  metrics.gauge("people_connected", "People with an open socket", () => connections.people.size);
  metrics.gauge(
    "rooms_joined",
    "Rooms that sockets have open, counted for each",
    () => connections.joinedCount,
  );
  metrics.gauge("rooms_followed", "Rooms whose log is followed here", () => feed.size);
  metrics.gauge(
    "feed_lag_events",
    "Events that are known of and not yet published",
    () => feed.lag,
  );
  metrics.gauges(
    "database_connections",
    "Connections to the database, of all instances",
    "state",
    () => countConnections(sql),
  );
  metrics.gauge(
    "search_lag_messages",
    "Events of rooms' logs that are not in the search index yet",
    () => readSearchLag(sql),
  );
  // Without a backup: 0 if backups are configured, so that an alert fires; otherwise absent.
  metrics.optionalGauge(
    "backup_last_success_timestamp_seconds",
    "When the newest backup was taken, by any instance or by hand; 0: never",
    async () => {
      const at = await readLastBackup(sql);
      if (at === null) return takesBackups ? 0 : null;
      return at.getTime() / 1_000;
    },
  );
  // Two gauges of one scrape share one query.
  let depth: Promise<QueueDepth> | null = null;
  const readDepth = () => {
    depth ??= readQueueDepth(sql).finally(() => {
      depth = null;
    });
    return depth;
  };
  metrics.gauges("jobs", "Jobs by state", "state", async () => {
    const { waiting, running, failed } = await readDepth();
    return { waiting, running, failed };
  });
  metrics.gauges("jobs_oldest_seconds", "How long the oldest due job waits", "queue", async () => ({
    all: (await readDepth()).age,
  }));
}
