import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyRecipes } from "../support/recipes.ts";

/**
 * Applies the recipes of CONTRIBUTING.md, as they are printed, to a copy of the tree, and runs
 * `bun run check` and the tests of the texts there.
 *
 * Usage: bun run recipes
 */
const ROOT = join(import.meta.dir, "../..");
const folder = await mkdtemp(join(tmpdir(), "snug-recipes-"));

try {
  await copyTree();
  for (const [path, text] of applyRecipes(ROOT)) await Bun.write(join(folder, path), text);
  for (const command of [
    ["run", "check"],
    ["test", "./test/words", "--timeout", "30000"],
  ]) {
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: folder,
      env: { ...process.env, RECIPES: "applied" },
      stdout: "inherit",
      stderr: "inherit",
    });
    process.exitCode = await child.exited;
    if (process.exitCode !== 0) break;
  }
} finally {
  await rm(folder, { recursive: true });
}

async function copyTree(): Promise<void> {
  const listed = Bun.spawn(
    ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: ROOT,
    },
  );
  const paths = (await new Response(listed.stdout).text()).split("\0").filter(Boolean);
  for (const path of paths) {
    if (await Bun.file(join(ROOT, path)).exists()) await cp(join(ROOT, path), join(folder, path));
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
}
