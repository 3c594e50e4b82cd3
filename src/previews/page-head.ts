import { parseHTML } from "linkedom";
import { cleanText } from "./clean-text.ts";
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
  const base = document.querySelector("base[href]")?.getAttribute("href")?.trim();
  const url = (base && URL.parse(base, pageUrl)) || pageUrl;
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

/** The values of each name. Pages confuse `name` with `property`, and upper with lower case. */
function metaValues(document: Document): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const meta of document.querySelectorAll("meta")) {
    const of = (name: string) =>
      [...meta.attributes].find((one) => one.name.toLowerCase() === name)?.value.trim();
    const content = of("content");
    const names = new Set([of("property"), of("name")].map((name) => name?.toLowerCase()));
    for (const key of names) {
      if (key && content) values.set(key, [...(values.get(key) ?? []), content]);
    }
  }
  return values;
}
