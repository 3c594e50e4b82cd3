import { headTags } from "./head-tags.ts";

/** Of a page's text nothing past this is looked at. */
export const MAX_HEAD_LENGTH = 512 * 1024;

/** Where a head ends that does not say so. */
const HEAD_END = /<\/head|<body/i;
const OVERLAP = 6;
/** What the pieces are searched as while nobody has said what they are: ASCII is itself in it. */
const UNSURE = "windows-1252";

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
      decoder = new TextDecoder(sure ?? UNSURE);
      text += decoder.decode(start, { stream: true });
    } else {
      text += decoder.decode(piece, { stream: true });
    }
    const from = Math.max(0, text.length - piece.length - OVERLAP);
    if (text.length >= MAX_HEAD_LENGTH || HEAD_END.test(text.slice(from))) break;
  }
  const whole = sure ? text : decodeAs(Buffer.concat(pieces), metaCharset(headTags(text)));
  return whole.slice(0, MAX_HEAD_LENGTH);
}

/** The `charset` of a content type, as it was written. */
export function charsetOf(contentType: string): string | null {
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
  // It could be read byte by byte, so it is not what it says: the standard takes it as UTF-8.
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

function decodeAs(bytes: Uint8Array, label: string | null): string {
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    // As a stream: the last character may have been cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder(UNSURE).decode(bytes);
  }
}
