import type { SqlClient } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("feed");

const GATHER_MS = 1_000;
const MOST_NAMED = 100;

/**
 * Gathers what makes member lists stale to at most one `member_updated` a second for a room, so
 * that ten thousand people who reconnect do not become ten thousand times ten thousand events.
 */
export class MemberUpdates {
  /** Users whose every room is concerned. */
  #everywhere = new Set<string>();
  #byRoom = new Map<string, Set<string>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #last = 0;

  constructor(
    private readonly sql: SqlClient,
    private readonly publish: (roomId: string, userIds: string[] | null) => void,
  ) {}

  /** Something that others see of this user has changed, in one room or in all. */
  add(userId: string, roomId?: string): void {
    if (roomId) this.#room(roomId).add(userId);
    else this.#everywhere.add(userId);
    // The first goes out at once, those of the next second together.
    const wait = Math.max(0, this.#last + GATHER_MS - Date.now());
    this.#timer ??= setTimeout(() => void this.#flush(), wait);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #room(roomId: string): Set<string> {
    const found = this.#byRoom.get(roomId) ?? new Set();
    this.#byRoom.set(roomId, found);
    return found;
  }

  async #flush(): Promise<void> {
    this.#last = Date.now();
    this.#timer = null;
    const everywhere = [...this.#everywhere];
    this.#everywhere.clear();
    try {
      if (everywhere.length > 0) {
        const rows = await this.sql<{ room_id: string; user_id: string }[]>`
          select room_id, user_id from memberships where user_id = any(${everywhere}::uuid[])`;
        for (const row of rows) this.#room(row.room_id).add(row.user_id);
      }
    } catch (error) {
      log.warn("Members' rooms could not be read.", { error: String(error) });
    }
    const rooms = this.#byRoom;
    this.#byRoom = new Map();
    for (const [roomId, userIds] of rooms) {
      this.publish(roomId, userIds.size > MOST_NAMED ? null : [...userIds]);
    }
  }
}
