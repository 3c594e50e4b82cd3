import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { dropLeftovers, isAlive } from "./leftovers.ts";
import { folderOf } from "./memory.ts";

/**
 * Holds the tests' cluster for one run, in a process of its own: a PostgreSQL that stopped whenever
 * no file was using it would be started dozens of times. Says where the cluster is on standard
 * output and, for the files that come later, in a file beside it; leaves when the run is over.
 * Usage: bun cluster.ts <folder> <process id of the run>
 */
const [folder = "", run = ""] = process.argv.slice(2);
const LOOK_MS = 200;

/** Each worker has several services, of up to twenty connections, at a time. */
const MAX_CONNECTIONS = 500;

let cluster = await startEmbedded(folder);
const { connection } = cluster;
const open = () => postgres({ ...connection, database: "postgres", max: 1, onnotice: () => {} });
let sql = open();
await dropLeftovers(sql);
// Hundreds of databases that live for seconds: there is nothing in them to look after.
await sql`alter system set autovacuum = off`;
// No test cuts the power; what a killed process leaves behind does not hang on these.
await sql`alter system set fsync = off`;
await sql`alter system set full_page_writes = off`;
await sql`select pg_reload_conf()`;
const [limit] = await sql`select current_setting('max_connections')::int as connections`;
if (limit?.connections !== MAX_CONNECTIONS) {
  await sql.unsafe(`alter system set max_connections = ${MAX_CONNECTIONS}`);
  // Only a start applies it, which the first run of a checkout has for itself.
  await sql.end();
  await cluster.release();
  cluster = await startEmbedded(folder);
  sql = open();
}

const note = join(folder, `run-${run}.json`);
await writeFile(`${note}.${process.pid}`, JSON.stringify({ holder: process.pid, connection }));
await rename(`${note}.${process.pid}`, note);
process.stdout.write("\n");

while (isAlive(Number(run))) await Bun.sleep(LOOK_MS);
await rm(note, { force: true });
await dropLeftovers(sql);
await sql.end();
await cluster.release();
await rm(folderOf(Number(run)), { recursive: true, force: true });
process.exit(0);
