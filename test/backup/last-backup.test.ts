import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runHere } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-last-backup-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function readGauge(world: World): Promise<number | null> {
  const { body } = await world.anonymous.get("/metrics");
  const match = /^snug_backup_last_success_timestamp_seconds (\S+)$/m.exec(String(body));
  return match ? Number(match[1]) : null;
}

test("a backup by hand sets the metric of the newest one, which is absent before", async () => {
  const world = await World.start();
  const env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
  await world.person("ada");
  expect(await readGauge(world)).toBeNull();
  const { out, status } = await runHere(["backup", join(folder, "x.tar"), "--json"], env);
  expect(status).toBe(0);
  expect(await readGauge(world)).toBe(Date.parse(JSON.parse(out).created_at) / 1_000);
  await world.stop();
});

test("so does a scheduled one; until then, the metric is 0", async () => {
  const before = Date.now() / 1_000;
  const BACKUP_DIR = join(folder, "kept");
  const world = await World.start({ BACKUP_DIR });
  const first = await readGauge(world);
  expect(first === 0 || (first ?? -1) > before - 1).toBe(true);
  await eventually(async () => (await readGauge(world)) !== 0);
  const after = Date.now() / 1_000;
  expect(await readGauge(world)).toBeGreaterThan(before - 1);
  expect(await readGauge(world)).toBeLessThan(after + 1);
  await world.stop();
});
