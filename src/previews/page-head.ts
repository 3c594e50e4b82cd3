import { parseHTML } from "linkedom";
import { hasVisible } from "../wire/unicode.ts";
import { extractHeadTags } from "./head-tags.ts";

/** The metadata of a page. */
export type PageHead = {
  title: string | null;
  description: string | null;
  siteName: string | null;
  /** The page's pictures, of which the first that can be shown is used. */
  imageUrls: URL[];
};

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
const MAX_SITE_NAME = 100;
/** Each costs a request. */
const MAX_IMAGES = 3;
const IMAGE_NAMES = [
  "og:image:secure_url",
  "og:image",
  "og:image:url",
  "twitter:image",
  "twitter:image:src",
];

/**
 * Reads a page's head: Open Graph first, then Twitter's tags, then the title and description.
 * @param text the page, or its tags
 * @param pageUrl of the page after redirects, to which its `base` and its pictures' URLs are relative
 */
export function readPageHead(text: string, pageUrl: URL): PageHead {
  const { document } = parseHTML(
    `<!doctype html><html><head>${extractHeadTags(text)}</head></html>`,
  );
  const values = metaValues(document);
  const first = (...names: string[]) => {
    for (const name of names) {
      const [value] = values.get(name) ?? [];
      if (value) return value;
    }
    return null;
  };
  const title = first("og:title", "twitter:title") ?? document.querySelector("title")?.textContent;
  const [base] = [...document.querySelectorAll("base")].flatMap(
    (element) => attributeOf(element, "href") ?? [],
  );
  const parsed = base ? URL.parse(base, pageUrl) : null;
  const url = parsed && /^https?:$/.test(parsed.protocol) ? parsed : pageUrl;
  const images = IMAGE_NAMES.flatMap((name) => values.get(name) ?? []);
  const hrefs = images.flatMap((image) => URL.parse(image, url)?.href ?? []);
  return {
    title: cleanText(title, MAX_TITLE),
    description: cleanText(
      first("og:description", "twitter:description", "description"),
      MAX_DESCRIPTION,
    ),
    siteName: cleanText(first("og:site_name", "application-name"), MAX_SITE_NAME),
    imageUrls: [...new Set(hrefs)].slice(0, MAX_IMAGES).map((href) => new URL(href)),
  };
}

/** Seconds, and an address. */
const REFRESH = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?(["']?)(.+?)\2\s*$/i;
/** A page that waits longer shows something itself. */
const MAX_REFRESH_SECONDS = 5;

/** Where a page leads on to by itself; null if it does not. */
export function findRefresh(text: string, pageUrl: URL): URL | null {
  const { document } = parseHTML(`<!doctype html><html><head>${text}</head></html>`);
  for (const meta of document.querySelectorAll("meta")) {
    if (attributeOf(meta, "http-equiv")?.toLowerCase() !== "refresh") continue;
    const [, seconds, , address = ""] = REFRESH.exec(attributeOf(meta, "content") ?? "") ?? [];
    const url = URL.parse(address, pageUrl);
    if (!url || !/^https?:$/.test(url.protocol) || url.href === pageUrl.href) continue;
    if (Number(seconds) <= MAX_REFRESH_SECONDS) return url;
  }
  return null;
}

/** The value of an attribute, whose name the parser leaves in upper case. */
function attributeOf(element: Element, name: string): string | undefined {
  return [...element.attributes]
    .find((attribute) => attribute.name.toLowerCase() === name)
    ?.value.trim();
}

/** The values of each name. Pages confuse `name` with `property`, and upper with lower case. */
function metaValues(document: Document): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const meta of document.querySelectorAll("meta")) {
    const content = attributeOf(meta, "content");
    // A property may be a list of names (RDFa).
    const names = new Set(
      [attributeOf(meta, "property"), attributeOf(meta, "name")]
        .join(" ")
        .toLowerCase()
        .split(/\s+/),
    );
    for (const key of names) {
      if (key && content) values.set(key, [...(values.get(key) ?? []), content]);
    }
  }
  return values;
}

/**
 * Control characters, marks that change the direction of text, and invisible characters: a title must
 * not change the text around it.
 */
const UNWANTED =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]/g;

/**
 * Cleans a text from a page for one line: whitespace is collapsed and trimmed, and a longer text than
 * `maxLength` characters ends with an ellipsis.
 * @returns null if nothing is left
 */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  if (!text) return null;
  const seen = text.toWellFormed().replace(LINE_BREAKS, " ").replace(UNWANTED, "");
  const line = seen.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (!hasVisible(line)) return null;
  if (characters.length <= maxLength) return line;
  const start = characters.slice(0, maxLength - 1).join("");
  return `${start.trimEnd()}…`;
}
