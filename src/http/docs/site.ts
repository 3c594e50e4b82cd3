import { join } from "node:path";
import { VERSION } from "../../wire/version.ts";
import { type Asset, toAsset } from "../../client-bundle/assets.ts";
import { escapeHtml, type RenderedPage, renderPage, toText } from "./render.ts";
import { INSTALLATION } from "../../platform/process/installation.ts";

const FOLDER = join(INSTALLATION, "docs");

type Group = { title: string; names: string[] };

/**
 * The table of contents. Excludes `docs/architecture.md` and `docs/development`, which are for
 * contributors, who have the repository.
 */
export const GROUPS: Group[] = [
  {
    title: "Run it",
    names: [
      "install",
      "configure",
      "operate",
      "database",
      "scaling",
      "backup",
      "upgrading",
      "security",
      "licences",
    ],
  },
  { title: "Use it", names: ["use", "accessibility", "search", "administer", "sign-in"] },
  { title: "Connect programs", names: ["bots", "webhooks"] },
];

const ROOT = "/docs";
const HTML = "text/html;charset=utf-8";
const FIRST = "install";
const NAMES = GROUPS.flatMap(({ names }) => names);
/** White space and box-drawing characters. */
const LINES = /[\s\u2500-\u257f]+/g;

type Page = RenderedPage & { name: string; title: string };
/** An entry of the search index: a heading, its path, and the text below it. */
type SearchEntry = { page: string; title: string; path: string; text: string };

/**
 * Builds the documentation site below `/docs`: its pages as HTML, and its search index.
 * @param template the page template, with `<nav>`, `<main>` and `<title>`
 * @returns assets by path
 */
export async function createDocs(template: string): Promise<Map<string, Asset>> {
  const pages = new Map<string, Page>();
  for (const name of NAMES) {
    const page = renderPage(await readPage(name), (link) => toHref(link, name));
    pages.set(name, { ...page, name, title: page.headings[0]?.text ?? name });
  }
  const assets = new Map<string, Asset>();
  const add = (path: string, text: string, type: string) =>
    assets.set(path, toAsset(new TextEncoder().encode(text), type, path));
  for (const page of pages.values()) {
    const html = fillTemplate(template, page, buildContents(pages, page));
    add(`${ROOT}/${page.name}`, html, HTML);
    if (page.name === FIRST) add(ROOT, html, HTML);
  }
  const entries = [...pages.values()].flatMap(toSearchEntries);
  add(`${ROOT}/search.json`, JSON.stringify(entries), "application/json");
  for (const name of new Bun.Glob("*.{png,svg}").scanSync({ cwd: FOLDER })) {
    const bytes = await Bun.file(join(FOLDER, name)).bytes();
    const type = name.endsWith(".svg") ? "image/svg+xml" : "image/png";
    assets.set(`${ROOT}/${name}`, toAsset(bytes, type, name));
  }
  return assets;
}

/** Rewrites links between pages, and drops links to other files of the repository. */
function toHref(link: string, from: string): string {
  if (/^(?:https?:|mailto:|#|\/)/.test(link)) return link;
  const [path = "", hash] = link.split("#");
  const name = path.replace(/^\.\//, "");
  const suffix = hash === undefined ? "" : `#${hash}`;
  const page = name.replace(/\.md$/, "");
  if (NAMES.includes(page)) return `${ROOT}/${page}${suffix}`;
  if (/^[\w-]+\.(?:png|svg)$/.test(name)) return `${ROOT}/${name}`;
  return `${ROOT}/${from}`;
}

function buildContents(pages: Map<string, Page>, current: Page): string {
  const link = (name: string) => {
    const page = pages.get(name);
    if (!page) return "";
    const isHere = page === current;
    const mark = isHere ? ' aria-current="page"' : "";
    const parts = page.headings.filter(({ level }) => level === 2);
    const below = isHere && parts.length > 0 ? `<ul>${parts.map(toPart).join("")}</ul>` : "";
    return `<li><a href="${ROOT}/${name}"${mark}>${escapeHtml(page.title)}</a>${below}</li>`;
  };
  const toPart = ({ id, text }: { id: string; text: string }) =>
    `<li><a href="#${id}">${escapeHtml(text)}</a></li>`;
  return GROUPS.map(
    ({ title, names }) => `<h2>${title}</h2><ul>${names.map(link).join("")}</ul>`,
  ).join("");
}

function fillTemplate(template: string, { title, html }: Page, contents: string): string {
  // Replacement functions, because `$` is special in replacement strings.
  return template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)} · Snug</title>`)
    .replace("<nav></nav>", () => `<nav aria-label="Pages">${contents}</nav>`)
    .replace(
      "<main></main>",
      () => `<main id="main">${html}<footer>Snug ${VERSION}</footer></main>`,
    );
}

function toSearchEntries({ name, title, html, headings }: Page): SearchEntry[] {
  const parts = html.split(/<h[1-6][^>]*>[\s\S]*?<\/h[1-6]>/).slice(1);
  return headings.map((heading, i) => ({
    page: title,
    title: heading.text,
    path: `${ROOT}/${name}${heading.level === 1 ? "" : `#${heading.id}`}`,
    text: toText((parts[i] ?? "").replace(/<\/(?:p|li|td|th|pre|h\d)>/g, " ")).replace(LINES, " "),
  }));
}

/** Reads the Markdown of a page. @param name the file name without its extension */
function readPage(name: string): Promise<string> {
  return Bun.file(join(FOLDER, `${name}.md`)).text();
}
