import { findEncoding, findMetaCharset, TagScanner } from "./head-tags.ts";

/** The encoding of a page that declares none and is not valid UTF-8. */
const FALLBACK = "windows-1252";

/**
 * Reads the tags for a preview, until all are found or the body ends.
 *
 * The encoding is that of the byte order mark, otherwise of the header, otherwise of a `meta` element
 * or an XML declaration (WHATWG Encoding and HTML, 13.2.3.2, but anywhere in the page), otherwise UTF-8
 * if the text is valid UTF-8.
 * @param charset of the content type
 * @param isXml true for XHTML, where `<script/>` is complete
 */
export async function readPageText(
  body: AsyncIterable<Uint8Array>,
  charset: string | null,
  isXml = false,
): Promise<string> {
  let start = Buffer.alloc(0);
  let reader: { scanner: TagScanner; decoder: TextDecoder | null } | null = null;
  const feed = (bytes: Buffer, isLast = false) => {
    if (!reader) {
      const sure = markOf(bytes) ?? findEncoding(charset);
      const decoder = sure === null ? null : new TextDecoder(sure);
      reader = { scanner: new TagScanner(sure !== null, isXml), decoder };
    }
    const { scanner, decoder } = reader;
    // Decoded as Latin-1 to find ASCII tags, which are the same in all encodings of web pages.
    const text = decoder ? decoder.decode(bytes, { stream: !isLast }) : bytes.toString("latin1");
    scanner.feed(text, isLast);
    return scanner.isDone;
  };
  for await (const piece of body) {
    if (reader) {
      if (feed(Buffer.from(piece))) break;
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length >= 3 && feed(start)) break;
  }
  feed(reader ? Buffer.alloc(0) : start, true);
  const { scanner, decoder } = reader as unknown as { scanner: TagScanner; decoder: unknown };
  if (decoder) return scanner.tags;
  const label = metaCharset(scanner.tags) ?? findEncoding(scanner.xmlEncoding);
  return decodeAs(Buffer.from(scanner.tags, "latin1"), label);
}

/** The `charset` of a content type, unchanged. */
export function parseCharset(contentType: string): string | null {
  return /[;\s]\s*charset\s*=\s*["']?\s*([^\s;,"']+)/i.exec(contentType)?.[1] ?? null;
}

function markOf(start: Buffer): string | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  return null;
}

function metaCharset(text: string): string | null {
  const label = findMetaCharset(text);
  // The tag was readable as ASCII, so the page cannot be UTF-16; the HTML standard then assumes UTF-8.
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

function decodeAs(bytes: Uint8Array, label: string | null): string {
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(FALLBACK).decode(bytes);
  }
}
