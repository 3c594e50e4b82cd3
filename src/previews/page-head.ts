import { parseHTML } from "linkedom";
import { hasVisible } from "../wire/unicode.ts";
import { extractHeadTags } from "./head-tags.ts";

export type PageHead = {
  title: string | null;
  description: string | null;
  siteName: string | null;
  /** The page's images; the first that can be shown is used. */
  imageUrls: URL[];
};

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
const MAX_SITE_NAME = 100;
/** Maximum number of images to try, since each costs a request. */
const MAX_IMAGES = 3;
const IMAGE_NAMES = [
  "og:image:secure_url",
  "og:image",
  "og:image:url",
  "twitter:image",
  "twitter:image:src",
];

/**
 * Parses a page's head: Open Graph first, then Twitter's tags, then title and description.
 * @param text the page, or its tags
 * @param pageUrl the URL after redirects, to which `base` and image URLs are relative
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
  const baseHref = base ? URL.parse(base, pageUrl) : null;
  const url = baseHref && /^https?:$/.test(baseHref.protocol) ? baseHref : pageUrl;
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

/** A delay in seconds and a URL. */
const REFRESH = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?(["']?)(.+?)\2\s*$/i;
/** A page with a longer delay has content of its own. */
const MAX_REFRESH_SECONDS = 5;

/** Returns the URL to which the page redirects; null if it does not. */
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

/** The value of an attribute. The parser keeps the case of attribute names. */
function attributeOf(element: Element, name: string): string | undefined {
  return [...element.attributes]
    .find((attribute) => attribute.name.toLowerCase() === name)
    ?.value.trim();
}

/** Meta values by name. Pages confuse `name` with `property`, and upper with lower case. */
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

/** Control, bidirectional and invisible characters, which would affect the text around them. */
const DISRUPTIVE_CHARACTERS =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]/g;

/**
 * Cleans text from a page for a single line: collapses and trims whitespace, and truncates with an
 * ellipsis after `maxLength` characters.
 * @returns null if nothing is left
 */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  if (!text) return null;
  const visible = text.toWellFormed().replace(LINE_BREAKS, " ").replace(DISRUPTIVE_CHARACTERS, "");
  const line = visible.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (!hasVisible(line)) return null;
  if (characters.length <= maxLength) return line;
  const start = characters.slice(0, maxLength - 1).join("");
  return `${start.trimEnd()}…`;
}
