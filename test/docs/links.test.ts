import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";
import { existsSync } from "node:fs";
import { GROUPS } from "../../src/http/docs/site.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGES = ["*.md", "docs/**/*.md"].flatMap((pattern) => [
  ...new Bun.Glob(pattern).scanSync({ cwd: ROOT }),
]);
const read = (path: string) => Bun.file(join(ROOT, path)).text();

/** As GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-"),
    ),
  );
}

test("links of the pages lead to files and headings that there are", async () => {
  const broken: string[] = [];
  let count = 0;
  for (const page of PAGES) {
    const text = (await read(page)).replace(/^```[\s\S]*?^```$/gm, "");
    for (const [, link = ""] of text.matchAll(/(?:\]\(|srcset="|src=")([^)"\s]+)/g)) {
      if (/^(?:https?:|mailto:|\/)/.test(link)) continue;
      count += 1;
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path));
      if (!existsSync(join(ROOT, file))) broken.push(`${page}: ${link}`);
      else if (anchor && !anchorsOf(await read(file)).has(anchor)) broken.push(`${page}: ${link}`);
    }
  }
  expect(count).toBeGreaterThan(50);
  expect(broken).toEqual([]);
});

test("the contents of /docs list each page for people and operators, and those lead to no other page", async () => {
  const listed = GROUPS.flatMap(({ names }) => names);
  const pages = [...new Bun.Glob("*.md").scanSync({ cwd: join(ROOT, "docs") })].map((file) =>
    file.slice(0, -".md".length),
  );
  expect([...listed, "architecture"].sort()).toEqual(pages.sort());
  const outside: string[] = [];
  for (const name of listed) {
    for (const [, link = ""] of (await read(`docs/${name}.md`)).matchAll(/\]\(([^)#]+\.md)/g)) {
      const isListed = listed.includes(link.slice(0, -".md".length));
      if (!isListed && link !== "../SECURITY.md") outside.push(`${name}: ${link}`);
    }
  }
  expect(outside).toEqual([]);
});
