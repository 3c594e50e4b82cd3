import { startEmbedded } from "../../src/database/embedded/start.ts";

/**
 * Holds the tests' cluster for one test file, in a process of its own: when a file is done, the
 * runner ends every process that the file's worker has started, and another worker may still be
 * using a PostgreSQL that was one of them. It says where the cluster is, and leaves it when its
 * standard input ends, which it does at the latest with the worker.
 */
const cluster = await startEmbedded(process.argv[2] ?? "");
let leaving: Promise<void> | undefined;
const leave = () => (leaving ??= cluster.release().then(() => process.exit(0)));
process.on("SIGTERM", leave);
process.stdout.write(`${JSON.stringify(cluster.connection)}\n`);
for await (const _ of Bun.stdin.stream()) {
  // Nothing is said to it.
}
await leave();
