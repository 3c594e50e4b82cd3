import type { SqlClient } from "./database/connect.ts";
import { countConnections } from "./database/statements.ts";
import type { Feed } from "./feed/feed.ts";
import { readQueueDepth } from "./jobs-queue/statements.ts";
import type { Metrics } from "./platform/metrics.ts";
import type { Hub } from "./socket/hub.ts";

/** Wires up the numbers that are read when somebody looks. */
export function watch(metrics: Metrics, sql: SqlClient, hub: Hub, feed: Feed): void {
  metrics.gauge("connections", "Open sockets", () => hub.socketCount);
  metrics.gauge("people_connected", "People with an open socket", () => hub.people.size);
  metrics.gauge(
    "rooms_joined",
    "Rooms that sockets have open, counted for each",
    () => hub.joinedCount,
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
  // One look serves both: they are read in one scrape.
  let depth: ReturnType<typeof readQueueDepth> | null = null;
  const look = () => {
    depth ??= readQueueDepth(sql).finally(() => {
      depth = null;
    });
    return depth;
  };
  metrics.gauges("jobs", "Jobs by state", "state", async () => {
    const { waiting, running, failed } = await look();
    return { waiting, running, failed };
  });
  metrics.gauges("jobs_oldest_seconds", "How long the oldest due job waits", "queue", async () => ({
    all: (await look()).age,
  }));
}
