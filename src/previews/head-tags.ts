/** Maximum number of tags. Pages do not need more, and the parser is slow with many. */
const MAX_TAGS = 200;
const MAX_LENGTH = 64 * 1024;
const MAX_TITLE_LENGTH = 4_096;
/** Maximum distance in characters between a page's title and its other tags. */
const MAX_DISTANCE = 64 * 1024;

const NAME = /<(\/?[a-z][a-z0-9-]*)/iy;
/** The content of these elements has no tags (WHATWG HTML, 13.2.5). */
const RAW = new Set([
  ...["script", "style", "template", "title", "textarea", "iframe", "svg", "xmp"],
  ...["noembed", "noframes"],
]);
/** Tags that previews use. Scientific papers have hundreds of others. */
const USED =
  /\b(?:property|name)\s*=\s*["']?\s*(?:og:(?:title|description|site_name|image)|twitter:(?:title|description|image)|description|application-name)|\bcharset\b|\bhttp-equiv\s*=\s*["']?\s*refresh\b/i;
/** Some pages list hundreds of images. */
const IMAGE = /\b(?:property|name)\s*=\s*["']?\s*og:image/i;
const MAX_IMAGE_TAGS = 40;
const GRAPH = /\b(?:property|name)\s*=\s*["']?\s*og:(title|description|site_name|image)\b/i;
const EMPTY = /\bcontent\s*=\s*(?:""|''|["']?\s*>)/i;

/**
 * Finds the tags for a preview in a page that arrives in chunks, anywhere in the page. The result
 * depends only on the text, not on the chunks. Each character is read at most a few times.
 */
export class TagScanner {
  /** The first title, the first base, and the meta tags, unparsed. */
  tags = "";
  /** True once all tags have been found or the limit is reached. */
  isDone = false;
  /** The encoding in the XML declaration, if any. */
  xmlEncoding: string | null = null;
  #text = "";
  /** The number of characters before `#text`. */
  #before = 0;
  /** The number of characters added since the last scan. */
  #unread = 0;
  #tags = 0;
  #imageTags = 0;
  #hasTitle = false;
  #hasBase = false;
  #titleAt: number | null = null;
  readonly #graph = new Set<string>();

  /**
   * @param hasCharset true if the encoding is known, so that its tag is not needed
   * @param isXml true for XHTML, where any element may be self-closing
   */
  constructor(
    readonly hasCharset: boolean,
    readonly isXml = false,
  ) {}

  /** @param isLast true for the end of the page */
  feed(text: string, isLast = false): void {
    if (this.isDone) return;
    this.#text += text;
    this.#unread += text.length;
    // A tag that is still open is scanned again only when it has grown by a fraction.
    if (!isLast && this.#unread * 8 < this.#text.length) return;
    this.#unread = 0;
    let at = 0;
    while (!this.isDone) {
      const open = this.#text.indexOf("<", at);
      // Markup of a few characters is read once it is complete.
      if (open === -1 || (!isLast && open + 5 > this.#text.length)) {
        at = open === -1 ? this.#text.length : open;
        break;
      }
      const end = this.#read(open);
      if (end === -1 || (end === this.#text.length && !isLast && end - open < 2)) {
        at = open;
        break;
      }
      at = end;
      this.isDone ||= this.#isEnough(this.#before + at);
    }
    this.#before += at;
    this.#text = this.#text.slice(at);
  }

  /** @returns the end of the markup that starts here; -1 if it is incomplete */
  #read(open: number): number {
    const text = this.#text;
    if (text.startsWith("<!--", open)) return endOfComment(text, open + 4);
    if (text.startsWith("<?", open) || text.startsWith("<!", open)) {
      const end = after(text, ">", open);
      if (end !== -1 && this.#before + open === 0 && text.startsWith("<?xml", open)) {
        const [, label] = /\sencoding\s*=\s*["']\s*([^"'\s]+)/i.exec(text.slice(open, end)) ?? [];
        this.xmlEncoding = label ?? null;
      }
      return end;
    }
    NAME.lastIndex = open;
    const name = NAME.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return open + 1;
    const end = endOfTag(text, open + name.length + 1);
    if (end === -1) return -1;
    const tag = text.slice(open, end);
    if (name === "meta") this.#add(tag, this.#before + end);
    // Adjacent tags are read together: `og:image:secure_url` follows `og:image`.
    else if (this.#isWhole()) this.isDone = true;
    if (
      name === "base" &&
      !this.#hasBase &&
      /\shref\s*=/i.test(tag) &&
      tag.length < MAX_TITLE_LENGTH
    ) {
      this.#hasBase = true;
      this.tags += tag;
    }
    const isEmpty = (this.isXml || name === "svg") && tag.endsWith("/>");
    if (!RAW.has(name) || isEmpty) return end;
    const close = endOfRaw(text, name, end);
    if (name === "title" && !this.#hasTitle && close !== -1) {
      this.#hasTitle = true;
      this.tags += `<title>${text.slice(end, Math.min(close, end + MAX_TITLE_LENGTH))}</title>`;
    }
    return close;
  }

  #add(tag: string, at: number): void {
    if (tag.length >= MAX_LENGTH || !USED.test(tag)) return;
    if (IMAGE.test(tag) && ++this.#imageTags > MAX_IMAGE_TAGS) return;
    this.tags += tag;
    this.#tags += 1;
    const [, name] = GRAPH.exec(tag) ?? [];
    if (name === undefined || EMPTY.test(tag)) return;
    this.#graph.add(name.toLowerCase());
    if (name.toLowerCase() === "title") this.#titleAt ??= at;
  }

  #isEnough(at: number): boolean {
    if (this.#tags >= MAX_TAGS || this.tags.length >= MAX_LENGTH) return true;
    return this.#titleAt !== null && at - this.#titleAt > MAX_DISTANCE;
  }

  #isWhole(): boolean {
    return this.#graph.size === 4 && (this.hasCharset || findMetaCharset(this.tags) !== null);
  }
}

export function extractHeadTags(text: string): string {
  const scanner = new TagScanner(true);
  scanner.feed(text, true);
  return scanner.tags;
}

/** Finds the encoding in the first `meta` that names a supported one. */
export function findMetaCharset(tags: string): string | null {
  for (const [tag] of tags.matchAll(/<meta\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi)) {
    // Ignores quotes in other attributes, such as a description that mentions a charset.
    const isType = /\shttp-equiv\s*=\s*["']?\s*content-type/i.test(tag);
    const attributes = isType ? tag : tag.replace(/\scontent\s*=\s*(?:"[^"]*"|'[^']*')/gi, "");
    const [, label] = /charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(attributes) ?? [];
    const encoding = findEncoding(label ?? null);
    if (encoding !== null) return encoding;
  }
  return null;
}

/** Returns the canonical name of an encoding; null if it is not supported. */
export function findEncoding(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
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
  const end = new RegExp(`</${name}[\\s/>]`, "gi");
  end.lastIndex = from;
  return end.exec(text)?.index ?? -1;
}

/** `<!-->` and `<!--->` are whole comments, and `--!>` ends one, too (WHATWG HTML, 13.2.5.43). */
function endOfComment(text: string, from: number): number {
  const shortEnd = /-?>/y;
  shortEnd.lastIndex = from;
  if (shortEnd.test(text)) return shortEnd.lastIndex;
  const longEnd = /--!?>/g;
  longEnd.lastIndex = from;
  return longEnd.test(text) ? longEnd.lastIndex : -1;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}
