import { existsSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../wire/version.ts";
import { type Asset, toAsset } from "../assets.ts";
import { FOLDER, type Group, listPages, readPage } from "./contents.ts";
import { escapeHtml, type RenderedPage, renderPage, toText } from "./render.ts";

const ROOT = "/docs";
const HTML = "text/html;charset=utf-8";
const FIRST = "install";
/** Blanks, and the lines of pictures that are drawn with characters. */
const LINES = /[\s\u2500-\u257f]+/g;

type Page = RenderedPage & { name: string; title: string };
/** What the page's search looks through: a heading, where it is, and the words below it. */
type SearchEntry = { page: string; title: string; path: string; text: string };

/**
 * The documentation as a site below `/docs`: each page of `docs` as HTML, and what its search needs.
 * @param template the page around the contents, with `<nav>`, `<main>` and `<title>`
 * @returns by path
 */
export async function createDocs(template: string): Promise<Map<string, Asset>> {
  const groups = listPages();
  const pages = new Map<string, Page>();
  for (const name of groups.flatMap(({ names }) => names)) {
    const page = renderPage(await readPage(name), (link) => toHref(link, name));
    pages.set(name, { ...page, name, title: page.headings[0]?.text ?? name });
  }
  const assets = new Map<string, Asset>();
  const add = (path: string, text: string, type: string) =>
    assets.set(path, toAsset(new TextEncoder().encode(text), type, path));
  for (const page of pages.values()) {
    const html = fillTemplate(template, page, buildContents(groups, pages, page));
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

/** Links between pages lead to pages, and those to files of the repository to nothing but their name. */
function toHref(link: string, from: string): string {
  if (/^(?:https?:|mailto:|#|\/)/.test(link)) return link;
  const [path = "", hash] = link.split("#");
  const name = path.replace(/^\.\//, "");
  const suffix = hash === undefined ? "" : `#${hash}`;
  if (/^[\w-]+\.md$/.test(name) && existsSync(join(FOLDER, name))) {
    return `${ROOT}/${name.slice(0, -".md".length)}${suffix}`;
  }
  if (/^[\w-]+\.(?:png|svg)$/.test(name)) return `${ROOT}/${name}`;
  return `${ROOT}/${from}`;
}

function buildContents(groups: Group[], pages: Map<string, Page>, current: Page): string {
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
  return groups
    .map(({ title, names }) => `<h2>${title}</h2><ul>${names.map(link).join("")}</ul>`)
    .join("");
}

function fillTemplate(template: string, { title, html }: Page, contents: string): string {
  // Functions, since `$` has a meaning in a replacement text.
  return template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)} · Snug</title>`)
    .replace("<nav></nav>", () => `<nav aria-label="Pages">${contents}</nav>`)
    .replace(
      "<main></main>",
      () => `<main id="main">${html}<footer>Snug ${VERSION}</footer></main>`,
    );
}

/** A page in parts: each heading with the text up to the next. */
function toSearchEntries({ name, title, html, headings }: Page): SearchEntry[] {
  const parts = html.split(/<h[1-6][^>]*>[\s\S]*?<\/h[1-6]>/).slice(1);
  return headings.map((heading, i) => ({
    page: title,
    title: heading.text,
    path: `${ROOT}/${name}${heading.level === 1 ? "" : `#${heading.id}`}`,
    text: toText((parts[i] ?? "").replace(/<\/(?:p|li|td|th|pre|h\d)>/g, " ")).replace(LINES, " "),
  }));
}
