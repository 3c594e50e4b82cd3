import { extractHeadTags } from "./head-tags.ts";

/** Text of a page past this length is not read. */
export const MAX_HEAD_LENGTH = 512 * 1024;

/** Where a head ends, with or without its end tag. */
const HEAD_END = /<\/head|<body/i;
const OVERLAP = 6;
/** Used to search the text until the encoding is known: ASCII is the same in it. */
const FALLBACK = "windows-1252";

/**
 * Reads a page as far as its head goes, and no further.
 *
 * The encoding is that of the byte order mark, else of the header, else of a `meta`
 * element (WHATWG Encoding and HTML, 13.2.3.2, but with the whole head looked through for it); else it
 * is UTF-8 if it can be.
 * @param charset of the content type
 */
export async function readPageText(
  body: AsyncIterable<Uint8Array>,
  charset: string | null,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let sure: string | null = null;
  let decoder: TextDecoder | null = null;
  let text = "";
  for await (const piece of body) {
    pieces.push(piece);
    if (!decoder) {
      const start = Buffer.concat(pieces);
      if (start.length < 3) continue;
      sure = markOf(start) ?? known(charset);
      decoder = new TextDecoder(sure ?? FALLBACK);
      text += decoder.decode(start, { stream: true });
    } else {
      text += decoder.decode(piece, { stream: true });
    }
    const from = Math.max(0, text.length - piece.length - OVERLAP);
    if (text.length >= MAX_HEAD_LENGTH || HEAD_END.test(text.slice(from))) break;
  }
  const whole = sure ? text : decodeAs(Buffer.concat(pieces), metaCharset(extractHeadTags(text)));
  return whole.slice(0, MAX_HEAD_LENGTH);
}

/** The `charset` of a content type, unchanged. */
export function parseCharset(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
}

function markOf(start: Buffer): string | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  return null;
}

/** The name of an encoding, if it is one. */
function known(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function metaCharset(text: string): string | null {
  const label = known(
    /<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(text)?.[1] ?? null,
  );
  // The tag was readable as ASCII, so it cannot be UTF-16: the standard says UTF-8.
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

function decodeAs(bytes: Uint8Array, label: string | null): string {
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    // As a stream: the last character may have been cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder(FALLBACK).decode(bytes);
  }
}
