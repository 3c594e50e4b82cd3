/**
 * Writes the first migration anew from the schema's page, and keeps the second, which says what that
 * page cannot. Until 1.0 there is nobody whose database would have to be changed step by step.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";

const folder = import.meta.dir;
const kit = join(folder, "../node_modules/.bin/drizzle-kit");
const beyond = join(folder, "0001_beyond_drizzle.sql");

const kept = await Bun.file(beyond).text();
for (const old of ["0000_first.sql", "0001_beyond_drizzle.sql", "meta"]) {
  await rm(join(folder, old), { recursive: true, force: true });
}
await $`bun --bun ${kit} generate --name first`.cwd(join(folder, "..")).quiet();
await $`bun --bun ${kit} generate --custom --name beyond_drizzle`.cwd(join(folder, "..")).quiet();
await Bun.write(beyond, kept);
await $`bun fmt --no-script ${folder}`.cwd(join(folder, "..")).quiet();
