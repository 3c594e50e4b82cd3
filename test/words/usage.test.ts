import { describe, expect, test } from "bun:test";
import { CHUNKS } from "../../public/app/parts/chunks.ts";
import type { Area } from "../../public/app/words/catalogues.ts";
import { AREAS, catalogueOf, messagesOf, NAMES } from "./catalogue-messages.ts";
import { findHardCodedTexts } from "./hard-coded-texts.ts";
import { below, modulesLoadedWith, type Node, Source, sources } from "./source.ts";

const ENTRY = "public/app/main.tsx";
const CHUNK_AREAS = new Map<string, Area>(
  Object.entries(CHUNKS).map(([file, { area }]) => [`public/app/${file}`, area]),
);

/** The strings of a file as patterns of keys: a template such as `profile.${name}` matches any name. */
function keyPatternsIn(program: Node): RegExp[] {
  return [...below(program)].flatMap((node) => {
    if (node.type === "Literal" && typeof node.value === "string")
      return [new RegExp(`^${RegExp.escape(node.value)}$`)];
    if (node.type !== "TemplateLiteral") return [];
    const quasis = (node.quasis as { value: { cooked: string } }[]).map(
      ({ value }) => value.cooked,
    );
    if (!/^[a-z-]+\./.test(quasis[0] ?? "")) return [];
    return [new RegExp(`^${quasis.map((quasi) => RegExp.escape(quasi)).join("[^ ]+")}$`)];
  });
}

/** The modules that are imported dynamically, with the area whose words are loaded with them. */
function deferredEntries(): { path: string; area: Area | null }[] {
  return sources.flatMap((source) =>
    [...below(source.program)]
      .filter((node) => node.type === "ImportExpression")
      .flatMap((node) => source.resolve(String((node.source as Node).value)))
      .map((path) => ({ path, area: CHUNK_AREAS.get(path) ?? null })),
  );
}

describe("the texts of the client", () => {
  test("are all in the catalogue", () => {
    expect(sources.length).toBeGreaterThan(100);
    // The script of the page itself speaks before any catalogue is loaded, in all languages.
    const others = sources.filter(({ path }) => path !== "public/app/support.ts");
    expect(others.flatMap(findHardCodedTexts)).toEqual([]);
  });

  test("are all used", async () => {
    const patterns = sources.flatMap(({ program }) => keyPatternsIn(program));
    const keys = [...(await catalogueOf("en")).keys()];
    expect(keys.filter((key) => !patterns.some((pattern) => pattern.test(key)))).toEqual([]);
  });

  test("are loaded together with the code that uses them", async () => {
    const first = modulesLoadedWith(ENTRY);
    const entries = deferredEntries();
    const missing: string[] = [];
    for (const area of AREAS) {
      if (area === "main") continue;
      const keys = (await messagesOf(area, "en")).map(([key]) => key);
      // Those of forms are loaded with every other area.
      const isWith = (entry: (typeof entries)[0]) => entry.area === area || area === "forms";
      const without = entries.filter((entry) => !isWith(entry)).map(({ path }) => path);
      const others = new Set([
        ...first,
        ...without.flatMap((path) => [...modulesLoadedWith(path)]),
      ]);
      for (const { path, program } of sources.filter((source) => others.has(source.path))) {
        const patterns = keyPatternsIn(program);
        const said = keys.filter((key) => patterns.some((pattern) => pattern.test(key)));
        missing.push(...said.map((key) => `${path} ${key}`));
      }
    }
    expect(missing).toEqual([]);
  });
});

/** The text of a key in every language. */
async function readTexts(area: Area): Promise<Map<string, string>> {
  const catalogues = await Promise.all(
    NAMES.map(async (language) => new Map(await messagesOf(area, language))),
  );
  const keys = (await messagesOf(area, "en")).map(([key]) => key);
  return new Map(
    keys.map((key) => [key, JSON.stringify(catalogues.map((messages) => messages.get(key)))]),
  );
}

test("a text that is loaded with the code that says it is not defined again", async () => {
  const patterns = sources.flatMap(({ program }) => keyPatternsIn(program));
  // A family such as `admin.${page}` has a key for each of its members.
  const families = patterns.filter(({ source }) => source.includes("[^ ]+"));
  const twice: string[] = [];
  for (const area of AREAS) {
    const own = await readTexts(area);
    const loaded = await Promise.all([...new Set<Area>(["main", "forms", area])].map(readTexts));
    const texts = loaded.flatMap((messages) => [...messages]);
    for (const [key, text] of own) {
      if (families.some((family) => family.test(key))) continue;
      const others = texts.filter(([other, its]) => other !== key && its === text);
      twice.push(...others.map(([other]) => `${key}: ${other}`));
    }
  }
  expect(twice).toEqual([]);
});

describe("the search for hard-coded texts", () => {
  test.each([
    "<p>Hello</p>",
    '<p>{isIn ? "Hello" : null}</p>',
    "<p>{many ? `more` : null}</p>",
    '<button title="Close" />',
    "<button aria-label={`Close all`} />",
    '<p>{"and " + name}</p>',
    'showToast("saved now")',
    'const items = [{ label: "Edit" }]',
    'const problem = "The messages did not load."',
  ])("finds them in %p", (text) => {
    expect(findHardCodedTexts(new Source("probe.tsx", text))).toHaveLength(1);
  });

  test.each([
    '<p class="muted small">{say("save")}</p>',
    "<p>{count} · {name}</p>",
    '<img alt="" src={url} />',
    'throw new Error("The bundle has no page.")',
    'matchMedia("(pointer: fine)")',
  ])("finds none in %p", (text) => {
    expect(findHardCodedTexts(new Source("probe.tsx", text))).toEqual([]);
  });
});
