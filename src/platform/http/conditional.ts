import type { ByteRange } from "../storage/storage.ts";

const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * Whether `If-None-Match` lists this representation (RFC 9110, 13.1.2), by weak comparison as required
 * for GET and HEAD.
 * @param etag a strong ETag, with its quotes
 */
export function matchesEtag(request: Request, etag: string): boolean {
  const etags = request.headers.get("if-none-match");
  if (etags === null) return false;
  if (etags.trim() === "*") return true;
  return etags.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}

/**
 * Parses the byte range that a GET requests (RFC 9110, 14). Supports a single range; any other Range
 * header is ignored, as 14.2 allows.
 * @param etag a strong ETag, for `If-Range`; dates never match, since there is no Last-Modified
 * @returns null for the complete representation
 */
export function parseRange(
  request: Request,
  size: number,
  etag: string,
): ByteRange | "unsatisfiable" | null {
  const range = request.headers.get("range");
  if (request.method !== "GET" || range === null) return null;
  const condition = request.headers.get("if-range");
  if (condition !== null && condition.trim() !== etag) return null;
  const [, first, last, length] = RANGE.exec(range.trim()) ?? [];
  if (first !== undefined) return fromTo(Number(first), last ? Number(last) : size - 1, size);
  return length === undefined ? null : suffix(Number(length), size);
}

function fromTo(first: number, last: number, size: number): ByteRange | "unsatisfiable" | null {
  if (first >= size) return "unsatisfiable";
  return last < first ? null : { start: first, end: Math.min(last + 1, size) };
}

/** The last bytes, or all of them if there are fewer. */
function suffix(length: number, size: number): ByteRange | "unsatisfiable" {
  if (length === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - length), end: size };
}
