import { sql } from "drizzle-orm";
import type { Fragment, SqlClient, Query } from "../database/connect.ts";
import type { ReadMark } from "../wire/models.ts";
import { checkPayload, SIGNAL_CHANNEL } from "./channels.ts";

/**
 * What concerns people rather than a room's log, told to all instances at the commit. A lost one
 * costs a moment: sockets are checked against the database again by a sweep.
 */
export type Signal =
  | { kind: "room_added"; user_id: string; room_id: string }
  | { kind: "room_deleted"; room_id: string }
  /** Name, avatar, presence, or a role: the member lists that show this user are stale. */
  | { kind: "member_updated"; user_id: string; room_id?: string }
  | { kind: "me_updated"; user_id: string }
  /** The user's role in the room, or what is pushed from it. */
  | { kind: "membership_updated"; user_id: string; room_id: string }
  | { kind: "read"; user_id: string; room_id: string; mark: ReadMark }
  /** These sessions ended (at most `IDS_A_SIGNAL`); without ids, all of the user's but `except`. */
  | { kind: "sessions_ended"; user_id: string; session_ids?: string[]; except?: string }
  /** This token of a bot's opens nothing any more. */
  | { kind: "token_revoked"; user_id: string; token_id: string }
  /** Typing is not stored at all. */
  | { kind: "typing"; user_id: string; room_id: string };

/** Ids that one signal may list: 100 of them take half of what a payload holds. */
export const IDS_PER_SIGNAL = 100;

/**
 * Notifies every instance, when the transaction commits.
 * @throws Error if the signal is larger than PostgreSQL accepts, before it is sent
 */
export async function notifyInstances(tx: Query, what: Signal): Promise<void> {
  const payload = checkPayload(JSON.stringify(what));
  await tx.execute(sql`select pg_notify(${SIGNAL_CHANNEL}, ${payload})`);
}

/**
 * `pg_notify` of a signal whose fields a hand-written statement computes. They are ids and times, so
 * that its size does not depend on what they hold.
 * @param fields names and values, as `json_build_object` takes them
 */
export function notifyInStatement(
  hand: SqlClient,
  kind: Signal["kind"],
  fields: Fragment,
): Fragment {
  return hand`pg_notify(${SIGNAL_CHANNEL},
    json_build_object('kind', ${kind}::text, ${fields})::text)`;
}
