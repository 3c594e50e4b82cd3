/**
 * `bun dev`: runs the service and restarts it when a file changes. The database stays up, so a change is
 * served within a second, and open pages reload.
 */
import { watch } from "node:fs";
import { join } from "node:path";
import { readConfig } from "./config.ts";
import { urlOf } from "./database/target.ts";
import { openDatabase } from "./database/open.ts";
import { configureLog, getLogger } from "./platform/log.ts";
import { catchStopSignals, waitForStop } from "./platform/process/stop-signals.ts";

const ROOT = join(import.meta.dir, "..");
const WATCHED = ["src", "jobs", "public", "drizzle"];
/** Changes within this time cause one restart: a checkout changes many files. */
const DEBOUNCE_MS = 80;

const { signal } = catchStopSignals();
const config = readConfig();
configureLog(config.log);
const log = getLogger("dev");
const { target, release } = await openDatabase(config, {
  signal,
  schema: "migrate",
  creates: true,
});
const env = { ...process.env, DATABASE_URL: urlOf(target), RELOAD_PAGES: "true" };

const spawnService = () =>
  Bun.spawn([process.execPath, join(ROOT, "src/main.ts")], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
let service = spawnService();

async function restart(file: string): Promise<void> {
  log.info("Restarting.", { changed: file });
  service.kill("SIGTERM");
  await service.exited;
  if (!signal.aborted) service = spawnService();
}

let timer: ReturnType<typeof setTimeout> | undefined;
let restarts = Promise.resolve();
const watchers = WATCHED.map((folder) =>
  watch(join(ROOT, folder), { recursive: true }, (_, file) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarts = restarts.then(() => restart(join(folder, file ?? "")));
    }, DEBOUNCE_MS);
  }),
);

await waitForStop(signal);
for (const watcher of watchers) watcher.close();
clearTimeout(timer);
await restarts;
service.kill("SIGTERM");
await service.exited;
await release();
process.exit(0);
