import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { SIGNAL_CHANNEL } from "./channels.ts";

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
  | { kind: "read"; user_id: string; room_id: string; last_read_at: string }
  /** These sessions ended; without ids, all of the user's. */
  | { kind: "sessions_ended"; user_id: string; session_ids?: string[] }
  /** This token of a bot's opens nothing any more. */
  | { kind: "token_revoked"; user_id: string; token_id: string }
  /** Typing is not stored at all. */
  | { kind: "typing"; user_id: string; room_id: string };

/** Tells every instance, when the transaction commits. */
export async function signal(tx: Query, what: Signal): Promise<void> {
  await tx.execute(sql`select pg_notify(${SIGNAL_CHANNEL}, ${JSON.stringify(what)})`);
}
