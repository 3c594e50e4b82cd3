import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reads the recipes of CONTRIBUTING.md and applies them to the tree in memory: `+++` names a file, `@@`
 * separates its hunks, and a file that does not exist has added lines alone.
 * @returns the texts of the changed files, by path
 * @throws Error if a hunk does not fit its file in exactly one place
 */
export function applyRecipes(root: string): Map<string, string> {
  const changed = new Map<string, string>();
  const recipes = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  for (const [, diff = ""] of recipes.matchAll(/```diff\n(.*?)```/gs)) {
    for (const section of diff.split(/^\+\+\+ /m).slice(1)) {
      const [path = ""] = section.split("\n", 1);
      const hunks = section.slice(path.length + 1).split(/^@@.*\n/m);
      for (const hunk of hunks.filter(Boolean)) {
        const [before, after] = sidesOf(hunk);
        const text = changed.get(path) ?? readText(join(root, path));
        const parts = before === "" && text === "" ? ["", ""] : text.split(before);
        if (parts.length !== 2) {
          throw new Error(
            `CONTRIBUTING.md: ${path} has this ${parts.length - 1} times:\n${before}`,
          );
        }
        changed.set(path, parts.join(after));
      }
    }
  }
  return changed;
}

function sidesOf(hunk: string): [before: string, after: string] {
  const lines = hunk.split("\n").slice(0, -1);
  const without = (sign: string) =>
    lines.flatMap((line) => (line.startsWith(sign) ? [] : `${line.slice(1)}\n`)).join("");
  return [without("+"), without("-")];
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
