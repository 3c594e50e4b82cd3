import { EMAIL_PATTERN } from "../wire/patterns.ts";

/** A sender or recipient; the name may be empty. */
export type Address = { name: string; address: string };

const IS_EMAIL = new RegExp(EMAIL_PATTERN);

/** Parses `snug@example.org` or `Snug <snug@example.org>`; null for anything else. */
export function parseAddress(text: string): Address | null {
  const [, name = "", address = ""] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? ["", "", text];
  if (!IS_EMAIL.test(address)) return null;
  return { name: toOneLine(name.replace(/^\s*"|"\s*$/g, "")), address };
}

/**
 * Makes text safe for a mail header. Line breaks would start another header, and direction marks
 * would show the text in another order.
 */
export function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}
