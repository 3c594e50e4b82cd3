import type { RoomKind } from "../wire/models.ts";

/**
 * The channels of LISTEN/NOTIFY. A lost notification is made up for by reading the database.
 *
 * `snug_feed`: `<origin> <room>:<seq>:<kind> <room>:<seq>:<kind>…`: these rooms' logs have grown. The
 * origin is the instance that publishes the events from memory, or `-`.
 * `snug_signals`: one `Signal` as JSON.
 */
export const FEED_CHANNEL = "snug_feed";
export const SIGNAL_CHANNEL = "snug_signals";

/** PostgreSQL refuses longer payloads (8,000 bytes with the terminating zero). */
export const MAX_PAYLOAD_BYTES = 7_999;

const UUID_BYTES = 36;
/** ` <room>:<seq>:direct`, with the longest number that PostgreSQL counts to. */
const HINT_BYTES = 1 + UUID_BYTES + 1 + 19 + 7;
/** Rooms that one payload can name. */
export const HINTS_PER_PAYLOAD = Math.floor((MAX_PAYLOAD_BYTES - UUID_BYTES) / HINT_BYTES);

/** @throws Error for a payload that PostgreSQL would refuse, and with it the transaction */
export function checkPayload(payload: string): string {
  const bytes = Buffer.byteLength(payload);
  if (bytes <= MAX_PAYLOAD_BYTES) return payload;
  throw new Error(`A notification of ${bytes} bytes is too large: ${payload.slice(0, 80)}…`);
}

/** An instance of an older version sends no kind. */
export type Hint = { roomId: string; seq: number; kind: RoomKind | null };

/** @returns the hints of a payload; none if this instance, `self`, sent it */
export function parseHints(payload: string, self: string): Hint[] {
  const [origin, ...hints] = payload.split(" ");
  if (origin === self) return [];
  return hints.map((hint) => {
    const [roomId = "", seq, kind] = hint.split(":");
    return { roomId, seq: Number(seq), kind: (kind ?? null) as Hint["kind"] };
  });
}
