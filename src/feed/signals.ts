import { sql } from "drizzle-orm";
import type { Fragment, Query, SqlClient } from "../database/connect.ts";
import { checkPayload, SIGNAL_CHANNEL } from "./channels.ts";
import type { Code } from "../wire/codes.ts";
import type { ReadMark } from "../wire/models.ts";
import type { ThreadFollow, ThreadMark } from "../wire/threads.ts";

/**
 * A notification about people rather than a room's log, sent to all instances at the commit. The sweep makes up
 * for a lost one within seconds.
 */
export type Signal =
  | { kind: "room_added"; user_id: string; room_id: string }
  | { kind: "room_deleted"; room_id: string }
  /** For at most nine people: a conversation is new, or it or their membership has changed. */
  | { kind: "direct_added"; room_id: string; user_ids: string[] }
  | { kind: "direct_updated"; room_id: string; user_ids: string[] }
  /** The user has left the conversation. */
  | { kind: "direct_left"; user_id: string; room_id: string; room_seq: number }
  /**
   * Name, avatar, presence or role: the member lists that show this user are stale. `is_status` if it is
   * only the presence.
   */
  | { kind: "member_updated"; user_id: string; room_id?: string; is_status?: true }
  /** The team's name or logo has changed. */
  | { kind: "team_updated" }
  | { kind: "me_updated"; user_id: string }
  /** The user's sections of the sidebar have changed. */
  | { kind: "sections_updated"; user_id: string; version: number }
  /** Someone has changed their keywords. */
  | { kind: "keywords_changed" }
  /** The user's role in the room, or their notifications of it, have changed. */
  | { kind: "membership_updated"; user_id: string; room_id: string }
  /** Reactions to the user's messages have changed, or the user has read their activity. */
  | { kind: "activity_updated"; user_id: string }
  /** The user's read mark of a thread has moved. */
  | ({ kind: "thread_read"; user_id: string; thread_id: string } & ThreadMark)
  | ({ kind: "thread_follow"; user_id: string; thread_id: string } & ThreadFollow)
  /** People follow threads by writing or being mentioned in them, at most `FOLLOWS_PER_SIGNAL`. */
  | {
      kind: "threads_followed";
      follows: [userId: string, threadId: string, readSeq: number, repliedSeq: number][];
    }
  /** The user has saved this message, changed it, or removed it from the saved ones. */
  | { kind: "saved_changed"; user_id: string; message_id: string }
  /** These scheduled messages of the user (at most `IDS_PER_SIGNAL`) have changed, or are gone. */
  | { kind: "scheduled_changed"; user_id: string; ids: string[] }
  | { kind: "scheduled_failed"; user_id: string; id: string; code: Code }
  /** A draft of the user has changed; `thread_id` is null outside of threads. */
  | { kind: "draft_changed"; user_id: string; room_id: string; thread_id: string | null }
  | { kind: "read"; user_id: string; room_id: string; mark: ReadMark }
  /** These sessions (at most `IDS_PER_SIGNAL`) have ended; without ids, all of the user's except one. */
  | { kind: "sessions_ended"; user_id: string; session_ids?: string[]; except?: string }
  /** This token of a bot is no longer valid. */
  | { kind: "token_revoked"; user_id: string; token_id: string }
  /** Typing is not stored. */
  | { kind: "typing"; user_id: string; room_id: string };

/** Maximum number of follows per signal; each takes at most 100 bytes. */
export const FOLLOWS_PER_SIGNAL = 60;

/** Maximum number of ids per signal, which take half of a payload. */
export const IDS_PER_SIGNAL = 100;

/**
 * Notifies every instance when the transaction commits.
 * @throws Error if the signal is larger than PostgreSQL accepts
 */
export async function notifyInstances(tx: Query, ...signals: Signal[]): Promise<void> {
  const payloads = signals.map((signal) => checkPayload(JSON.stringify(signal)));
  await tx.execute(
    sql`select pg_notify(${SIGNAL_CHANNEL}, p) from unnest(${sql.param(payloads)}::text[]) as p`,
  );
}

/**
 * SQL: sends a signal whose fields the surrounding statement computes. The fields are ids, numbers and times, so that
 * the size does not depend on data.
 * @param fields names and values, as `json_build_object` takes them
 */
export function notifyInStatement(
  sql: SqlClient,
  kind: Signal["kind"],
  fields: Fragment,
): Fragment {
  return sql`pg_notify(${SIGNAL_CHANNEL},
    json_build_object('kind', ${kind}::text, ${fields})::text)`;
}
