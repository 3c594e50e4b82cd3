import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canSeeProcesses, postgresProcesses } from "../support/postgres-processes.ts";
import { Running } from "../support/process.ts";
import { repeats, seeded } from "../support/soak.ts";
import { eventually } from "../support/wait.ts";

const TIMEOUT = 3_600_000;
/** A later start is ready after about half of this. */
const START_MS = 1_500;
const base = await mkdtemp(join(tmpdir(), "snug-early-stop-"));
afterAll(() => rm(base, { recursive: true, force: true }));

let folders = 0;
function freshEnv(): { DATA_DIR: string } {
  const DATA_DIR = join(base, String(folders++));
  return { DATA_DIR };
}

/** Stops it, and expects that it ends well and leaves nothing behind. */
async function expectCleanStop(running: Running, dataDir: string): Promise<void> {
  running.process.kill("SIGTERM");
  const status = await running.process.exited;
  // Before it has begun to run, the signal itself ends it.
  const ended = status === 0 || running.process.signalCode === "SIGTERM";
  const left = postgresProcesses(dataDir);
  expect({ ended, left, output: ended ? "" : running.output }).toEqual({
    ended: true,
    left: [],
    output: "",
  });
}

describe.skipIf(!canSeeProcesses())("a stop during the start leaves no PostgreSQL", () => {
  // One folder for all: making a database takes most of the time of a start.
  const env = freshEnv();

  test.each([/Creating a PostgreSQL/, /Starting PostgreSQL/])(
    "at %p",
    async (moment) => {
      const running = Running.spawn(env);
      await running.until(moment);
      await expectCleanStop(running, env.DATA_DIR);
    },
    TIMEOUT,
  );

  test(
    "at any moment, of the first start and of later ones",
    async () => {
      const random = seeded(54_011);
      for (let i = 0; i < repeats(1, 50); i++) {
        const used = i % 5 === 4 ? freshEnv() : env;
        const running = Running.spawn(used);
        await Bun.sleep(random() * START_MS);
        await expectCleanStop(running, used.DATA_DIR);
      }
    },
    TIMEOUT,
  );

  test(
    "and neither does a command, which starts it again and is stopped",
    async () => {
      const cli = Bun.spawn([process.execPath, "cli.ts", "migrate"], {
        cwd: join(import.meta.dir, "../.."),
        env: { ...process.env, ...env },
        stdout: "ignore",
        stderr: "pipe",
      });
      await eventually(() =>
        postgresProcesses(env.DATA_DIR).some((line) => / -D .*snug.cluster/.test(line)),
      );
      cli.kill("SIGTERM");
      expect(await cli.exited).toBe(1);
      expect(await new Response(cli.stderr).text()).toBe("Stopped by SIGTERM.\n");
      expect(postgresProcesses(env.DATA_DIR)).toEqual([]);
    },
    TIMEOUT,
  );
});
