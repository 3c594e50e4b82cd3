import { expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { bundleSpa } from "../../src/http/spa.ts";

/** Bytes of compressed script and style that a first visit may load: usable in a second over 4G. */
const FIRST_LOAD = 110_000;

test("the first load is small: page, script, style and icon, compressed", async () => {
  const spa = await bundleSpa();
  const read = (path: string) => spa.serve(new Request(`http://x${path}`), path).text();
  const paths = new Set(["/"]);
  // What the page names, and what that imports before it can run.
  for (const path of paths) {
    const text = await read(path);
    const named =
      path === "/" ? /(?:src|href)="(\/assets\/[^"]+)"/g : /(?:from|import)"(\/assets\/[^"]+)"/g;
    if (path === "/" || path.endsWith(".js")) {
      for (const [, found = ""] of text.matchAll(named)) paths.add(found);
    }
  }
  expect(paths.size).toBeGreaterThan(3);
  let bytes = 0;
  for (const path of paths) bytes += brotliCompressSync(await read(path)).byteLength;
  expect(bytes).toBeLessThan(FIRST_LOAD);
  expect(bytes).toBeGreaterThan(FIRST_LOAD / 2);
});
