import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleClient } from "../../src/client-bundle/bundle.ts";
import { isFirstInRun } from "./first.ts";
import { isAlive } from "./leftovers.ts";
import { runId } from "./memory.ts";
import { eventually } from "./wait.ts";

const PREFIX = "snug-test-client-";
const WRITE_LIMIT_MS = 60_000;
let written: Promise<string> | undefined;

/** The folder of the bundled client: the first worker of a run that needs it writes it for all. */
export function writeBundle(): Promise<string> {
  written ??= write();
  return written;
}

async function write(): Promise<string> {
  const folder = join(tmpdir(), PREFIX + runId());
  if (isFirstInRun("client")) {
    await removeOthers();
    await writeTo(folder);
  }
  await eventually(() => existsSync(folder), WRITE_LIMIT_MS);
  return folder;
}

async function removeOthers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number.parseInt(name.slice(PREFIX.length), 10)))
      continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

async function writeTo(folder: string): Promise<void> {
  const unfinished = `${folder}-${process.pid}`;
  const { assets, ...more } = await bundleClient(false);
  for (const [path, { body }] of assets) await Bun.write(join(unfinished, path), body);
  const files = [...assets].map(([path, { type }]) => ({ path, type }));
  await Bun.write(join(unfinished, "index.json"), JSON.stringify({ ...more, files }));
  // Where temporary files are on a disk, each worker writes it; the first that is done is kept.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
}
