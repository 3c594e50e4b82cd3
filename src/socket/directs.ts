import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import { describeCause } from "../platform/cause.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { RoomEvent } from "../wire/events.ts";
import { readDirectLogs, readDirectMembers, readRecentDirects } from "./direct-statements.ts";
import type { Sender } from "./sender.ts";
import { changesMembers, type Entry, toAwayEvent, toEntry } from "./direct-entries.ts";

const log = getLogger("socket");

/** How many conversations are remembered, and how many rooms that are known not to be conversations. */
const MAX_KNOWN = 20_000;
/** Conversations that one read asks for, and entries of each. */
const MAX_PER_READ = 200;
const MAX_ENTRIES = 100;
/** Conversations that wait to be read; the sweep finds those beyond it. */
const MAX_WAITING = 10_000;

type Known = {
  /** Null after a change, until they are read again. */
  members: string[] | null;
  /** The last number that was delivered; null: only recent entries are delivered. */
  position: number | null;
  /** The highest number that the log is known to have. */
  seq: number;
  isReading: boolean;
};

/**
 * Delivers what happens in conversations to members who do not have them open. People have hundreds of
 * conversations, so unlike rooms these are not followed and have no topics: a conversation is looked up
 * when its log grows, and its few members' sockets are sent to one by one.
 */
export class Directs {
  /** Null for a room, which is not a conversation. */
  readonly #known = new LRUCache<string, { direct: Known | null }>({ max: MAX_KNOWN });
  readonly #grown = new Coalescer((roomIds: string[]) => this.#readAll(roomIds), {
    maxItems: MAX_PER_READ,
    maxWaiting: MAX_WAITING,
  });

  constructor(
    private readonly sql: SqlClient,
    private readonly sender: Pick<Sender, "people" | "sendAway">,
  ) {}

  /** A log has grown to a number: a conversation's or, unless it is known to be one, a room's. */
  note(roomId: string, seq: number, event: RoomEvent | null = null): void {
    const known = this.#known.get(roomId);
    if (known && !known.direct) return;
    const direct = known?.direct ?? { members: null, position: null, seq, isReading: false };
    if (!known) this.#known.set(roomId, { direct });
    direct.seq = Math.max(direct.seq, seq);
    if (direct.isReading || (direct.position ?? -1) >= seq) return;
    const isNext = event !== null && direct.position === seq - 1;
    if (isNext && direct.members) this.#deliver(roomId, direct, toEntry(event));
    else this.#queue(roomId, direct);
  }

  /** Its members have changed, or it has become a room. */
  forgetMembers(roomId: string): void {
    const direct = this.#known.peek(roomId)?.direct;
    if (direct) direct.members = null;
  }

  /** Notifications may have been lost, so nothing that is remembered is certain. */
  forgetAll(): void {
    for (const { direct } of this.#known.values()) if (direct) direct.members = null;
  }

  /** Reads nothing more; resolves when the reads under way have been delivered. */
  stop(): Promise<void> {
    return this.#grown.stop();
  }

  /** Finds recent messages whose notification was lost. */
  async sweep(): Promise<void> {
    if (this.sender.people.size === 0) return;
    for (const { room_id, seq } of await readRecentDirects(this.sql)) this.note(room_id, seq);
  }

  #queue(roomId: string, direct: Known): void {
    direct.isReading = true;
    if (!this.#grown.add(roomId)) direct.isReading = false;
  }

  async #readAll(roomIds: string[]): Promise<void> {
    try {
      await this.#readMembers(roomIds);
      await this.#readLogs(roomIds);
    } catch (error) {
      log.warn("Reading conversations failed; the next sweep retries.", {
        error: describeCause(error),
      });
    }
    for (const roomId of roomIds) {
      const direct = this.#known.peek(roomId)?.direct;
      if (!direct) continue;
      direct.isReading = false;
      // The log has grown meanwhile, or has more entries than one read returns.
      if (direct.position !== null && direct.position < direct.seq) this.#queue(roomId, direct);
    }
  }

  async #readMembers(roomIds: string[]): Promise<void> {
    const unknown = roomIds.filter((roomId) => {
      const direct = this.#known.peek(roomId)?.direct;
      return direct && direct.members === null;
    });
    if (unknown.length === 0) return;
    const rows = await readDirectMembers(this.sql, unknown);
    const members = new Map(rows.map((row) => [row.room_id, row.user_ids]));
    for (const roomId of unknown) {
      const direct = this.#known.peek(roomId)?.direct;
      const userIds = members.get(roomId);
      if (!direct) continue;
      if (userIds) direct.members = userIds;
      else this.#known.set(roomId, { direct: null });
    }
  }

  async #readLogs(roomIds: string[]): Promise<void> {
    const spans = roomIds.flatMap((roomId) => {
      const direct = this.#known.peek(roomId)?.direct;
      if (!direct?.members) return [];
      if (direct.members.some((userId) => this.sender.people.has(userId))) {
        return { roomId, after: direct.position };
      }
      direct.position = direct.seq;
      return [];
    });
    if (spans.length === 0) return;
    const known = new Map(
      spans.map(({ roomId }) => [roomId, this.#known.peek(roomId)?.direct?.seq ?? 0]),
    );
    const rows = Map.groupBy(
      await readDirectLogs(this.sql, spans, MAX_ENTRIES),
      (row) => row.room_id,
    );
    for (const { roomId } of spans) {
      const direct = this.#known.peek(roomId)?.direct;
      if (!direct) continue;
      const entries = rows.get(roomId) ?? [];
      for (const entry of entries) {
        if (!direct.members) {
          // Someone has joined or left: the members are read again, and then the entries since.
          direct.position ??= entry.seq - 1;
          break;
        }
        this.#deliver(roomId, direct, entry);
      }
      // Entries that are missing from the log were pruned.
      if (direct.members && entries.length < MAX_ENTRIES) {
        direct.position = Math.max(direct.position ?? 0, known.get(roomId) ?? 0);
      }
    }
  }

  #deliver(roomId: string, direct: Known, entry: Entry): void {
    if (entry.seq <= (direct.position ?? -1)) return;
    direct.position = entry.seq;
    const members = direct.members ?? [];
    if (changesMembers(entry)) direct.members = null;
    for (const userId of members) {
      const event = toAwayEvent(roomId, entry, userId);
      if (event) this.sender.sendAway(userId, roomId, event);
    }
  }
}
