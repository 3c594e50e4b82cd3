import { parseHTML } from "linkedom";
import { cleanText } from "./clean-text.ts";
import { extractHeadTags } from "./head-tags.ts";

/** The metadata of a page. */
export type PageHead = {
  title: string | null;
  description: string | null;
  siteName: string | null;
  imageUrl: URL | null;
};

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
const MAX_SITE_NAME = 100;

/**
 * Reads a page's head: Open Graph first, then Twitter's tags, then the title and description.
 * @param text the page's head, at least
 * @param url of the page after redirects, to which its picture's URL is relative
 */
export function readPageHead(text: string, url: URL): PageHead {
  const { document } = parseHTML(
    `<!doctype html><html><head>${extractHeadTags(text)}</head></html>`,
  );
  const values = metaValues(document);
  const first = (...names: string[]) => {
    for (const name of names) {
      const value = values.get(name);
      if (value) return value;
    }
    return null;
  };
  const title = first("og:title", "twitter:title") ?? document.querySelector("title")?.textContent;
  const image = first(
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
    "twitter:image:src",
  );
  return {
    title: cleanText(title, MAX_TITLE),
    description: cleanText(
      first("og:description", "twitter:description", "description"),
      MAX_DESCRIPTION,
    ),
    siteName: cleanText(first("og:site_name", "application-name"), MAX_SITE_NAME),
    imageUrl: image === null ? null : URL.parse(image, url),
  };
}

/** The first value of each name. Pages confuse `name` with `property`, and upper with lower case. */
function metaValues(document: Document): Map<string, string> {
  const values = new Map<string, string>();
  for (const meta of document.querySelectorAll("meta")) {
    const of = (name: string) =>
      [...meta.attributes].find((one) => one.name.toLowerCase() === name)?.value.trim();
    const content = of("content");
    for (const name of [of("property"), of("name")]) {
      const key = name?.toLowerCase();
      if (key && content && !values.has(key)) values.set(key, content);
    }
  }
  return values;
}
