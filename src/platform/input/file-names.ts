import { hasVisible, limitMarks } from "../../wire/unicode.ts";

/** Maximum length on common file systems, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;
/** Longer extensions are treated as part of the name. */
const MAX_EXTENSION = 20;
/** Control characters, and bidirectional formatting characters, which make `txt.exe` look like `exe.txt`. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes a file name safe to store, show and offer for download: the last segment of a path of any
 * operating system, normalized to NFC, without control characters, at most 255 bytes including the
 * extension.
 * @returns `file` if the name is otherwise empty
 */
export function cleanFileName(input: string): string {
  const base = input.toWellFormed().replace(INVISIBLE, "").split(/[/\\]/).at(-1) ?? "";
  const name = limitMarks(base).normalize("NFC").trim();
  return /^\.*$/.test(name) || !hasVisible(name) ? "file" : shorten(name);
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : "";
  let room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  let stem = "";
  // Truncated by grapheme cluster, so that none is split.
  for (const { segment } of new Intl.Segmenter().segment(
    name.slice(0, name.length - extension.length),
  )) {
    room -= Buffer.byteLength(segment);
    if (room < 0) break;
    stem += segment;
  }
  return stem.trimEnd() + extension;
}

/**
 * Formats a Content-Disposition header for a download (RFC 6266): the name in ASCII for old clients,
 * and in UTF-8 (RFC 8187).
 */
export function formatAttachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
