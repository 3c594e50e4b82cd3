import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import type { Code } from "../wire/codes.ts";
import type { ReadMark } from "../wire/models.ts";
import type { ThreadFollow, ThreadMark } from "../wire/threads.ts";
import { checkPayload, SIGNAL_CHANNEL } from "./channels.ts";

/**
 * A notification about people rather than a room's log, sent to all instances at the commit. A lost
 * one costs seconds: the sweep compares sockets with the database.
 */
export type Signal =
  | { kind: "room_added"; user_id: string; room_id: string }
  | { kind: "room_deleted"; room_id: string }
  /** A conversation is new to these people, at most nine, or it or their membership has changed. */
  | { kind: "direct_added"; room_id: string; user_ids: string[] }
  | { kind: "direct_updated"; room_id: string; user_ids: string[] }
  /** The user has left the conversation. */
  | { kind: "direct_left"; user_id: string; room_id: string; room_seq: number }
  /** Name, avatar, presence or role: the member lists that show this user are stale. */
  | { kind: "member_updated"; user_id: string; room_id?: string }
  /** The team's name or logo. */
  | { kind: "team_updated" }
  | { kind: "me_updated"; user_id: string }
  /** Someone has changed their keywords. */
  | { kind: "keywords_changed" }
  /** The user's role in the room, or its notifications. */
  | { kind: "membership_updated"; user_id: string; room_id: string }
  /** A reaction to a message of the user came or went, or the user has seen the list. */
  | { kind: "activity_updated"; user_id: string }
  /** A thread is read by its user up to a number, further back or on. */
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
  /** A draft of the user; null is in no thread. */
  | { kind: "draft_changed"; user_id: string; room_id: string; thread_id: string | null }
  | { kind: "read"; user_id: string; room_id: string; mark: ReadMark }
  /** These sessions have ended (at most `IDS_PER_SIGNAL`); without ids, all of the user's but `except`. */
  | { kind: "sessions_ended"; user_id: string; session_ids?: string[]; except?: string }
  /** This token of a bot is no longer valid. */
  | { kind: "token_revoked"; user_id: string; token_id: string }
  /** Typing is not stored. */
  | { kind: "typing"; user_id: string; room_id: string };

/** Two ids and a number each take at most 100 bytes. */
export const FOLLOWS_PER_SIGNAL = 60;

/** Ids that one signal may list: 100 of them take half of what a payload holds. */
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
