import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import * as schema from "../../src/database/schema.ts";

const FOLDER = join(import.meta.dir, "../../drizzle");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const journal: { entries: { idx: number; tag: string; when: number }[] } = JSON.parse(
  read("meta/_journal.json"),
);

/**
 * What was released does not change any more: databases hold it already. The time counts too, since
 * a database skips what is not newer than the last migration that it holds.
 */
const RELEASED = [
  ["0000_first", 1795246320973, "1b616afff591a23bf9273880d59b213e7aa15f7a7812453cfa759e761a1e1275"],
  [
    "0001_beyond_drizzle",
    1795246321246,
    "712f19b7e76f0700f0c8bca1eddded96a85fb1fe3db3db8317047349374d0e0d",
  ],
] as const;

test.each(RELEASED)("%s is as it was released", (tag, when, hash) => {
  expect(journal.entries).toContainEqual(expect.objectContaining({ tag, when }));
  expect(
    createHash("sha256")
      .update(read(`${tag}.sql`))
      .digest("hex"),
  ).toBe(hash);
});

test("every migration is in the journal once, each later than the one before", () => {
  const { entries } = journal;
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.toSorted());
  expect(entries.map(({ idx }) => idx)).toEqual(entries.map((_, i) => i));
  const times = entries.map(({ when }) => when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

test("the migrations build the schema of schema.ts", async () => {
  const last = String(journal.entries.at(-1)?.idx).padStart(4, "0");
  const before = JSON.parse(read(`meta/${last}_snapshot.json`));
  const now = generateDrizzleJson({ ...schema }, before.id);
  // Else: bun run migration --name <what>
  expect(await generateMigration(before, now)).toEqual([]);
});
