import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient } from "../database/connect.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { smallestIdAt } from "../platform/ids.ts";
import { describeCause, getLogger } from "../platform/log.ts";
import type { Feed } from "../feed/feed.ts";
import type { RoomKind } from "../wire/models.ts";
import type { ConnectionRegistry } from "./connection-registry.ts";
import type { Person } from "./socket.ts";

const log = getLogger("socket");

/** A conversation is no longer followed after this time without events. */
const QUIET_MS = 10 * 60_000;
/** How far back to look for events whose notification was lost or is late. */
const RECENT_SECONDS = 30;
/** Maximum number of a conversation's recent events to publish. */
const MAX_RECENT_EVENTS = 100;

/**
 * Decides which direct conversations are followed; a followed conversation is delivered as a room. People have
 * hundreds of silent conversations, so a connection follows only its rooms. A conversation is followed when its
 * log grows or someone opens it, until it has been quiet for ten minutes.
 */
export class Conversations {
  /** Conversations whose logs have grown and that are being read, with the first unpublished number. */
  readonly #grown = new Map<string, number>();
  /** A statement reads many conversations: its failure is logged once for all of them. */
  readonly #failures = new Coalescer<{ error: unknown }>(async (failures) => {
    log.warn("Reading conversations failed; the next sweep retries.", {
      conversations: failures.length,
      error: describeCause(failures[0]?.error),
    });
  });

  constructor(
    private readonly sql: SqlClient,
    private readonly connections: ConnectionRegistry,
    private readonly feed: Pick<Feed, "untilPublished">,
  ) {}

  /**
   * Call when a log that nobody here follows has grown.
   * @param kind null if it is not known
   */
  onGrowth(roomId: string, seq: number, kind: RoomKind | null): void {
    if (this.connections.people.size === 0 || kind === "room") return;
    const first = this.#grown.get(roomId);
    this.#grown.set(roomId, Math.min(seq, first ?? seq));
    if (first !== undefined) return;
    this.#follow(roomId).catch((error) => {
      this.#grown.delete(roomId);
      this.#failures.add({ error });
    });
  }

  /**
   * Follows a conversation for a person who opens it.
   * @param seq the number of its log at which the person is a member
   * @param changes `person.changes` before that number was read; a later change makes it stale
   */
  async admit(person: Person, roomId: string, seq: number, changes: number): Promise<void> {
    await this.#follow(roomId);
    // Recent events are published to the other members first, so that the person does not receive
    // events that they have already loaded.
    await this.feed.untilPublished(roomId, seq);
    if (person.changes === changes) this.connections.admitToConversation(person, roomId, seq);
  }

  /** Stops following quiet conversations, and finds recent messages whose notification was lost. */
  async sweep(): Promise<void> {
    this.connections.forgetConversations(Date.now() - QUIET_MS);
    if (this.connections.people.size === 0) return;
    for (const { room_id, seq } of await readRecentConversations(this.sql)) {
      if (!this.connections.conversations.has(room_id)) this.onGrowth(room_id, seq, "direct");
    }
  }

  async #follow(roomId: string): Promise<void> {
    const isFollowed = this.connections.conversations.has(roomId);
    const row = isFollowed ? null : await readConversation(this.sql, roomId);
    const first = this.#grown.get(roomId) ?? Number.POSITIVE_INFINITY;
    this.#grown.delete(roomId);
    if (!row) return;
    // Notifications of recent events may still be on their way, in any order.
    const recent = row.first_recent_seq ?? Number.POSITIVE_INFINITY;
    const position = Math.min(row.last_seq, first - 1, recent - 1);
    this.connections.followConversation(roomId, row.user_ids, row.last_seq, position);
  }
}

type ConversationRow = {
  id: string;
  last_seq: number;
  user_ids: string[];
  /** The number of the first recent event; null without recent events. */
  first_recent_seq: number | null;
};

const readConversation = coalesceReads(async (sql, ids: string[]) => {
  const rows = await sql<ConversationRow[]>`
    select id, last_seq, array(select user_id from memberships where room_id = rooms.id) as user_ids,
      (
        select min(seq) from (
          select seq, created_at from room_log where room_id = rooms.id
          order by seq desc limit ${MAX_RECENT_EVENTS}
        ) newest
        where created_at > clock_timestamp() - ${RECENT_SECONDS} * interval '1 second'
      ) as first_recent_seq
    from rooms where id = any(${ids}::uuid[]) and kind = 'direct'`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
});

/**
 * Reads conversations with recent messages, and the number of the first of these. It scans the messages' primary
 * key, because an index on `rooms.last_message_at` would make every message more expensive.
 */
function readRecentConversations(sql: SqlClient) {
  const firstId = smallestIdAt(Date.now() - RECENT_SECONDS * 1_000);
  return sql<{ room_id: string; seq: number }[]>`
    with recent as materialized (
      select room_id, min(seq) as seq from messages where id > ${firstId} group by room_id
    )
    select recent.room_id, recent.seq from recent
    join rooms on rooms.id = recent.room_id and rooms.kind = 'direct'`;
}
