import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Words that docs/words.md bans, and what to write instead. A pattern is matched against each line:
 * comments, names, texts and documentation alike.
 */
const BANNED: [pattern: RegExp, instead: string][] = [[/\bstandsOn\b|\bStandsOn\b/, "credential"]];

/** Where the words are listed, where they are quoted as data, and texts of other languages. */
const SKIPPED =
  /^(?:docs\/words\.md|test\/plain-english\.test\.ts|test\/database\/releases\/|public\/app\/words\/(?:de|es)\/)/;

const ROOT = join(import.meta.dir, "..");
const FILES = new Bun.Glob("{{src,jobs,public,docs,test,bench}/**/*,*}.{ts,tsx,css,html,md,sql}");

test("names, comments, texts and documentation use the words of docs/words.md", () => {
  const found: string[] = [];
  for (const file of [...FILES.scanSync({ cwd: ROOT })].sort()) {
    if (SKIPPED.test(file)) continue;
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
    for (const [index, line] of lines.entries()) {
      for (const [pattern, instead] of BANNED) {
        const [word] = pattern.exec(line) ?? [];
        if (word) found.push(`${file}:${index + 1}: "${word}"; write ${instead}: ${line.trim()}`);
      }
    }
  }
  expect(found).toEqual([]);
});
