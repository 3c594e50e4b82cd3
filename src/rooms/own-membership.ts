import type { Notify } from "../wire/models.ts";
import { mutedUntil } from "./muted.ts";
import { UNREAD } from "./unread.ts";

/** What rooms and conversations show alike of the reader's membership. */
export type MembershipColumns = {
  last_read_at: Date;
  last_read_seq: number;
  notify: Notify;
  muted_until: Date | null;
  unread: boolean;
  pinned_at: Date | null;
  version: number;
};

/** SQL: these columns of memberships `m`, except `unread`, and its keys. */
export const MEMBERSHIP_COLUMNS = `m.room_id, m.user_id, m.last_read_at, m.last_read_seq, m.notify,
  m.pinned_at, m.version, ${mutedUntil("m")} as muted_until`;

/**
 * SQL, boolean, from a row named `memberships` with these columns and the room's `last_seq`. Messages are
 * read only if the log is beyond the mark.
 */
export const IS_UNREAD = `memberships.last_seq > memberships.last_read_seq and ${UNREAD}`;

export function toMembership(row: MembershipColumns) {
  return {
    last_read_at: row.last_read_at.toISOString(),
    last_read_seq: row.last_read_seq,
    notify: row.notify,
    muted_until: row.muted_until?.toISOString() ?? null,
    unread: row.unread,
    pinned_at: row.pinned_at?.toISOString() ?? null,
    version: row.version,
  };
}
