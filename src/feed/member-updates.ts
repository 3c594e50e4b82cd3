import { and, eq, not, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships, rooms } from "../database/schema.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("feed");

const INTERVAL_MS = 1_000;
/** In conversations that are silent for longer, who is online is read when one is opened. */
const DIRECT_DAYS = 30;
/** Past these, `member_updated` names nobody, and the whole list is stale. */
const MAX_NAMED = 100;

const findRooms = prepareQuery("rooms_of_users", (db, params: Params<{ userIds: string[] }>) =>
  db
    .select({ userId: memberships.userId, roomId: memberships.roomId })
    .from(memberships)
    .where(
      and(sql`${memberships.userId} = any(${params.userIds}::uuid[])`, not(memberships.isDirect)),
    ),
);

const findDirects = prepareQuery("directs_of_users", (db, params: Params<{ userIds: string[] }>) =>
  db
    .select({ userId: memberships.userId, roomId: memberships.roomId })
    .from(memberships)
    .innerJoin(rooms, eq(rooms.id, memberships.roomId))
    .where(
      and(
        sql`${memberships.userId} = any(${params.userIds}::uuid[])`,
        memberships.isDirect,
        sql`coalesce(${rooms.lastMessageAt}, ${rooms.createdAt})
          > clock_timestamp() - ${DIRECT_DAYS} * interval '1 day'`,
      ),
    ),
);

export type MemberUpdateSink = {
  /** @param userIds null past `MAX_NAMED` */
  publish(roomId: string, userIds: string[] | null): void;
  publishDirects(updates: { room_id: string; user_ids: string[] }[]): Promise<void>;
};

/**
 * Coalesces what makes member lists stale to at most one `member_updated` a second for a room, so
 * that ten thousand people who reconnect do not become ten thousand times ten thousand events.
 */
export class MemberUpdates {
  /** Keys are `<user> <room>`, or `<user> ` for all rooms of the user. */
  readonly #updates = new Coalescer((keys: string[]) => this.#publishAll(keys), {
    intervalMs: INTERVAL_MS,
  });

  constructor(
    private readonly db: Drizzle,
    private readonly sink: MemberUpdateSink,
  ) {}

  /** Something that others see of this user has changed, in one room or in all. */
  add(userId: string, roomId = ""): void {
    this.#updates.add(`${userId} ${roomId}`);
  }

  stop(): void {
    void this.#updates.stop();
  }

  async #publishAll(keys: string[]): Promise<void> {
    const updates = keys.map((key) => key.split(" ") as [userId: string, roomId: string]);
    const inOne = updates.filter(([, roomId]) => roomId !== "");
    const inAll = updates.filter(([, roomId]) => roomId === "").map(([userId]) => userId);
    const rooms = Map.groupBy(
      [...inOne, ...(await this.#readRooms(inAll))],
      ([, roomId]) => roomId,
    );
    await this.#publishDirects(inAll);
    for (const [roomId, members] of rooms) {
      const userIds = new Set(members.map(([userId]) => userId));
      this.sink.publish(roomId, userIds.size > MAX_NAMED ? null : [...userIds]);
    }
  }

  /** Partners see it at once in the list, not only where a conversation is open. */
  async #publishDirects(userIds: string[]): Promise<void> {
    if (userIds.length === 0) return;
    try {
      const rows = await findDirects(this.db, { userIds });
      const byRoom = Map.groupBy(rows, ({ roomId }) => roomId);
      await this.sink.publishDirects(
        [...byRoom].map(([room_id, members]) => ({
          room_id,
          user_ids: members.map(({ userId }) => userId),
        })),
      );
    } catch (error) {
      log.warn("Members' conversations could not be read.", { error: String(error) });
    }
  }

  /** @returns none while the database is away: clients load the list again when they reconnect */
  async #readRooms(userIds: string[]): Promise<[userId: string, roomId: string][]> {
    if (userIds.length === 0) return [];
    try {
      const rows = await findRooms(this.db, { userIds });
      return rows.map((row) => [row.userId, row.roomId]);
    } catch (error) {
      log.warn("Members' rooms could not be read.", { error: String(error) });
      return [];
    }
  }
}
