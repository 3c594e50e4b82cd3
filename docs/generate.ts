/**
 * Writes the pages that are made of what the repository holds: `bun run docs`.
 */
import { join } from "node:path";
import { buildConfigurePage } from "./pages/configure.ts";
import { buildLicencesPage } from "./pages/licences.ts";

const PAGES: Record<string, () => string | Promise<string>> = {
  "configure.md": buildConfigurePage,
  "licences.md": buildLicencesPage,
};

/** @returns by file name, as `bun fmt` leaves it */
export async function generatePages(): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [name, build] of Object.entries(PAGES)) made[name] = await format(name, await build());
  return made;
}

/** Tables are aligned by the formatter. */
async function format(name: string, text: string): Promise<string> {
  const child = Bun.spawn(
    [process.execPath, "fmt", "--no-script", `--stdin-filepath=docs/${name}`],
    {
      cwd: join(import.meta.dir, ".."),
      stdin: new Blob([text]),
      stdout: "pipe",
    },
  );
  return new Response(child.stdout).text();
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generatePages())) {
    await Bun.write(join(import.meta.dir, name), text);
  }
}
