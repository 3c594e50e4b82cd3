import { EMAIL_PATTERN } from "../wire/limits.ts";

/** Someone to or from whom mail goes; the name may be empty. */
export type Address = { name: string; address: string };

const IS_EMAIL = new RegExp(EMAIL_PATTERN);

/** Reads `snug@example.org` or `Snug <snug@example.org>`; null for anything else. */
export function parseAddress(text: string): Address | null {
  const [, name = "", address = ""] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? ["", "", text];
  if (!IS_EMAIL.test(address)) return null;
  return { name: oneLine(name.replace(/^\s*"|"\s*$/g, "")), address };
}

/**
 * Text for a header: one line, whatever was written. Line breaks would begin headers of their own,
 * and marks that turn the direction of writing would show another order than the one that is there.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}
