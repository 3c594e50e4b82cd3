/** No page needs more, and the parser is slow with many. */
const MAX_TAGS = 200;
const MAX_LENGTH = 64 * 1024;

const NAME = /<(\/?[a-z][a-z0-9-]*)/iy;
/** The content of these elements has no tags (WHATWG HTML, 13.2.5). */
const RAW = new Set(["script", "style", "template", "title", "textarea", "iframe", "svg"]);

/**
 * Extracts the first title and the `meta` tags of a head, unparsed. They parse in a millisecond, while
 * half a megabyte of a hostile page would block the process for half a second. Each character is read
 * once: an element without an end ends the search.
 */
export function extractHeadTags(text: string): string {
  let found = "";
  let hasTitle = false;
  let at = text.indexOf("<");
  for (let tags = 0; at !== -1 && tags < MAX_TAGS && found.length < MAX_LENGTH;) {
    const start = at;
    if (text.startsWith("<!--", at)) {
      at = after(text, "-->", at + 4);
    } else {
      NAME.lastIndex = at;
      const name = NAME.exec(text)?.[1]?.toLowerCase();
      if (name === "/head" || name === "body") break;
      at = name === undefined ? at + 1 : endOfTag(text, at + name.length + 1);
      if (name === "meta" && at !== -1 && at - start < MAX_LENGTH) {
        found += text.slice(start, at);
        tags += 1;
      }
      if (name !== undefined && RAW.has(name) && at !== -1) {
        const inside = at;
        at = endOfRaw(text, name, at);
        if (name === "title" && !hasTitle && at !== -1) {
          hasTitle = true;
          found += `<title>${text.slice(inside, Math.min(at, inside + 4_096))}</title>`;
        }
      }
    }
    if (at !== -1) at = text.indexOf("<", at);
  }
  return found;
}

/** @returns the position after the tag's `>`, -1 without one; a `>` in a quoted value does not count */
function endOfTag(text: string, from: number): number {
  const next = />|=\s*["']/g;
  next.lastIndex = from;
  for (;;) {
    const match = next.exec(text)?.[0];
    if (match === undefined) return -1;
    if (match === ">") return next.lastIndex;
    const close = text.indexOf(match.at(-1) as string, next.lastIndex);
    if (close === -1) return -1;
    next.lastIndex = close + 1;
  }
}

function endOfRaw(text: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, "gi");
  end.lastIndex = from;
  return end.exec(text)?.index ?? -1;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}
