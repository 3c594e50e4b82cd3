import { hasVisible } from "../wire/visible.ts";

/** What a file system takes, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;
/** An ending longer than this is no ending. */
const MAX_ENDING = 20;
/** Controls, and the marks that turn the direction of text: with them `exe.txt` is read off `txt.exe`. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A file's name as it may be kept, shown and offered for saving: the last part of what may be a
 * path of any system, composed (NFC), without controls, 255 bytes at most with its ending kept.
 * @returns `file` where nothing of the name is left
 */
export function cleanFileName(given: string): string {
  const base = given.toWellFormed().replace(UNSEEN, "").split(/[/\\]/).at(-1) ?? "";
  const name = base.normalize("NFC").trim();
  return /^\.*$/.test(name) || !hasVisible(name) ? "file" : shorten(name);
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= MAX_ENDING ? name.slice(dot) : "";
  let room = MAX_NAME_BYTES - Buffer.byteLength(ending);
  let stem = "";
  // By what a reader sees as one sign, so that none is cut in two.
  for (const { segment } of new Intl.Segmenter().segment(
    name.slice(0, name.length - ending.length),
  )) {
    room -= Buffer.byteLength(segment);
    if (room < 0) break;
    stem += segment;
  }
  return stem.trimEnd() + ending;
}

/**
 * A Content-Disposition that offers a file for saving (RFC 6266): the name in ASCII for old clients,
 * and all of it in UTF-8 (RFC 8187).
 */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
