import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "../wire/version.ts";

/** Histogram buckets in seconds, from a fast query to a noticeably slow request. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of one service. Rooms and people are never labels, because each would create its
 * own time series.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  new Gauge({
    name: "snug_event_loop_lag_seconds",
    help: "The longest delay of the event loop since the last scrape",
    registers,
    collect() {
      this.set(loop.max / 1e9);
      loop.reset();
    },
  });
  new Gauge({
    name: "snug_resident_memory_bytes",
    help: "Memory of the process",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "snug_build_info",
    help: "1, with the versions of Snug and Bun as labels",
    labelNames: ["version", "bun"],
    registers,
  }).set({ version: VERSION, bun: Bun.version }, 1);
  const histogram = <Label extends string = never>(
    name: string,
    help: string,
    options: { labelNames?: Label[]; buckets?: number[] } = {},
  ) =>
    new Histogram<Label>({ name: `snug_${name}`, help, buckets: SECONDS, registers, ...options });
  return {
    registry,
    httpSeconds: histogram("http_request_seconds", "Requests by route and status", {
      labelNames: ["method", "route", "status"],
    }),
    events: new Counter({
      name: "snug_events_total",
      help: "Events published to sockets here, by type",
      labelNames: ["type"],
      registers,
    }),
    acceptSeconds: histogram("accept_seconds", "From a post to its commit"),
    deliverSeconds: histogram(
      "deliver_seconds",
      "From a message's created_at to its publication here",
    ),
    batchSize: histogram("batch_messages", "Messages written with one statement", {
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    }),
    jobSeconds: histogram("job_seconds", "Jobs that ran here, by kind and outcome", {
      labelNames: ["kind", "outcome"],
    }),
    searchSeconds: histogram(
      "search_seconds",
      "Searches, without the time that they wait for others",
    ),
    /** A gauge that is read at each scrape; NaN if reading fails. */
    gauge(name: string, help: string, read: () => number | Promise<number>): void {
      new Gauge({
        name: `snug_${name}`,
        help,
        registers,
        async collect() {
          this.set(await Promise.try(read).catch(() => Number.NaN));
        },
      });
    },
    /** As `gauge`, but omitted if the value is null or reading fails. */
    optionalGauge(name: string, help: string, read: () => Promise<number | null>): void {
      new Gauge({
        name: `snug_${name}`,
        help,
        registers,
        async collect() {
          const value = await read().catch(() => null);
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    },
    /** Gauges read with one query at each scrape; omitted while the database is unavailable. */
    gauges(name: string, help: string, label: string, read: () => Promise<Record<string, number>>) {
      new Gauge({
        name: `snug_${name}`,
        help,
        labelNames: [label],
        registers,
        async collect() {
          this.reset();
          const values = await read().catch(() => ({}));
          for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value);
        },
      });
    },
    stop(): void {
      loop.disable();
    },
  };
}
