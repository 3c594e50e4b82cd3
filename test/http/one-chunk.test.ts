import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oneChunk } from "../../src/http/one-chunk.ts";

/** Bundles an app of these files, and returns what is loaded with `import()`, by the names that it exports. */
async function bundle(files: Record<string, string>): Promise<string[]> {
  const app = await mkdtemp(join(tmpdir(), "snug-one-chunk-"));
  try {
    for (const [name, text] of Object.entries(files)) await Bun.write(join(app, name), text);
    const { outputs } = await Bun.build({
      entrypoints: [join(app, "main.ts")],
      plugins: [await oneChunk(app)],
      splitting: true,
    });
    const texts = await Promise.all(outputs.slice(1).map((output) => output.text()));
    return texts.map((text) => (text.match(/is[A-Z]\w*(?= = )/g) ?? []).sort().join());
  } finally {
    await rm(app, { recursive: true });
  }
}

test("what is loaded later is one chunk, less what few people open", async () => {
  const chunks = await bundle({
    "main.ts": `console.log(import("./a.ts"), import("./rooms/b.ts"), import("./admin/c.ts"));`,
    "a.ts": "export const isA = 1;",
    "rooms/b.ts": "export const isB = 2;",
    "admin/c.ts": "export const isC = 3;",
  });
  expect(chunks.sort()).toEqual(["isA,isB", "isC"]);
});

test("a name that two of its modules export is refused: both would be left out", async () => {
  const made = bundle({
    "main.ts": `console.log(import("./a.ts"), import("./b.ts"));`,
    "a.ts": "export const isTwice = 1;",
    "b.ts": "export const isTwice = 2;",
  });
  await expect(made).rejects.toThrow("export isTwice: rename one");
});
