import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lezerPlugin } from "../../src/client-bundle/lezer-plugin.ts";
import { parseMarkdown } from "../../src/wire/markdown/parse.ts";

const PARSER = join(import.meta.dir, "../../src/wire/markdown/parse.ts");
const PIECES = [
  ...["a", "word ", " ", "  ", "    ", "\t", "\n", "\n\n", "\\", "!", "-", "=", "+", "1. ", "2) "],
  ...[
    "- ",
    "* ",
    "> ",
    "# ",
    "### ",
    "---\n",
    "===\n",
    "- [ ] ",
    "- [x] ",
    "```\n",
    "```ts\n",
    "~~~\n",
  ],
  ...[
    "*",
    "**",
    "_",
    "__",
    "~~",
    "`",
    "``",
    "[",
    "]",
    "](",
    "](http://a.b/c)",
    "![",
    "<",
    ">",
    "(",
    ")",
  ],
  ...[
    "| a | b |\n| --- | :-: |\n",
    "| 1 | 2 |\n",
    "|",
    "&amp;",
    "<b>",
    "<!-- c -->",
    "<http://a.b>",
  ],
  ...[
    "@ada",
    "#den",
    ":tada:",
    "http://a.b/c?d=e",
    "[a]: http://b.c\n",
    "[a]",
    "é",
    "🎉",
    "\u2028",
  ],
];

/** Numbers from 0 to 1, the same in each run (a linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("the parser that the client loads makes the same trees as the service's", async () => {
  const folder = await mkdtemp(join(tmpdir(), "snug-parser-"));
  const built = await Bun.build({
    entrypoints: [PARSER],
    outdir: folder,
    minify: true,
    plugins: [lezerPlugin],
  });
  const [output] = built.outputs;
  expect(output?.size).toBeLessThan(66_000);
  const lean: { parseMarkdown: typeof parseMarkdown } = await import(output?.path ?? "");
  const random = createRandom(7);
  for (let i = 0; i < 1_500; i += 1) {
    const length = 1 + Math.floor(random() * (i % 100 === 0 ? 2_000 : 30));
    let text = "";
    for (let n = 0; n < length; n += 1) text += PIECES[Math.floor(random() * PIECES.length)];
    const trees = [lean.parseMarkdown(text), parseMarkdown(text)];
    if (!Bun.deepEquals(...(trees as [unknown, unknown])))
      expect(trees[0]).toEqual(trees[1] as never);
  }
  await rm(folder, { recursive: true });
});
