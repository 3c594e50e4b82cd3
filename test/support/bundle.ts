import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleClient } from "../../src/client-bundle/bundle.ts";
import { isAlive } from "./leftovers.ts";

const PREFIX = "snug-test-client-";
let written: Promise<string> | undefined;

/** The folder of a bundled client, for the processes that the tests of this worker start. */
export function writeBundle(): Promise<string> {
  written ??= write();
  return written;
}

async function write(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length)))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
  const folder = join(tmpdir(), PREFIX + process.pid);
  const { assets, ...more } = await bundleClient(false);
  for (const [path, { body }] of assets) await Bun.write(join(folder, path), body);
  const files = [...assets].map(([path, { type }]) => ({ path, type }));
  await Bun.write(join(folder, "index.json"), JSON.stringify({ ...more, files }));
  return folder;
}
