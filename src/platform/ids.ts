/**
 * Ids are UUIDv7 (RFC 9562). They start with the milliseconds since 1970, so they sort by time and can
 * be compared with a time.
 */

/** The start of lists that are ordered by id. */
export const SMALLEST_ID = "00000000-0000-0000-0000-000000000000";
export const LARGEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A UUIDv8 (RFC 9562, 5.8) that is the same for the same text. */
export function deriveId(text: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** The time in an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}

/** The smallest id for a time in milliseconds since 1970; times before 1970 count as 1970. */
export function smallestIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0").slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
