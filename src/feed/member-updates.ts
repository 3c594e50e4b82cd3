import { and, not, or, sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships } from "../database/schema.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { Member } from "../wire/models.ts";
import { type MemberUpdate, type People, type Seat, toMembers } from "./changed-members.ts";
import { readSilentSeats } from "./partner-statements.ts";
import { type PartnerSink, PartnerUpdates } from "./partner-updates.ts";

const log = getLogger("feed");

const INTERVAL_MS = 1_000;
/** With more people, `user_ids` is null. */
const MAX_NAMED = 100;
/**
 * With more members in a room, or in all rooms of one run, `members` is null and the whole list is
 * stale.
 */
const MAX_CARRIED = 500;
const MAX_CARRIED_IN_ALL = 5_000;

const seatColumns = {
  userId: memberships.userId,
  roomId: memberships.roomId,
  role: memberships.role,
  joinedAt: memberships.joinedAt,
};

const findSeats = prepareQuery(
  "seats_of_users",
  (db, params: Params<{ userIds: string[]; roomIds: string[] }>) =>
    db
      .select(seatColumns)
      .from(memberships)
      .where(
        and(
          sql`${memberships.userId} = any(${params.userIds}::uuid[])`,
          or(
            not(memberships.isDirect),
            sql`${memberships.roomId} = any(${params.roomIds}::uuid[])`,
          ),
        ),
      ),
);

/** Receives the changes of members. */
type MemberUpdateSink = PartnerSink & {
  /** Whether a socket here has the room open. */
  isOpen(roomId: string): boolean;
  /** The conversations that someone here has open. */
  openDirects(): string[];
  /** Sends an update to the sockets that have its room open. */
  publish(update: MemberUpdate): void;
};

/** Who has changed in a room, and the seats of those who are still in it. */
type Changed = { roomId: string; userIds: Set<string>; seats: Seat[] };

/**
 * Coalesces changes that make member lists stale into at most one `member_updated` a second for a
 * room, so that ten thousand people who reconnect do not become ten thousand times ten thousand
 * events. The event has the people concerned, so that no viewer has to request them.
 */
export class MemberUpdates {
  /** Keys are `<user> <room>`, or `<user> ` for all rooms of the user. */
  readonly #updates = new Coalescer((keys: string[]) => this.#publishAll(keys), {
    intervalMs: INTERVAL_MS,
  });
  /** Separate, so that rooms do not wait for conversations and are read many at once. */
  readonly #toPartners: PartnerUpdates;

  constructor(
    private readonly database: Database,
    private readonly sink: MemberUpdateSink,
  ) {
    this.#toPartners = new PartnerUpdates(database.sql, sink);
  }

  /** Something that others see of this user has changed, in one room or in all. */
  add(userId: string, roomId = ""): void {
    this.#updates.add(`${userId} ${roomId}`);
  }

  stop(): void {
    void this.#updates.stop();
    this.#toPartners.stop();
  }

  /** While the database is away nothing is published: clients load lists again when they reconnect. */
  async #publishAll(keys: string[]): Promise<void> {
    const updates = keys.map((key) => key.split(" ") as [userId: string, roomId: string]);
    const inOne = updates.filter(([, roomId]) => roomId !== "" && this.sink.isOpen(roomId));
    const inAll = updates.filter(([, roomId]) => roomId === "").map(([userId]) => userId);
    for (const userId of inAll) this.#toPartners.add(userId);
    try {
      const inRooms = await this.#findChanged(inOne, inAll);
      const readMembers = await this.#readMembers(inRooms);
      for (const changed of inRooms) this.sink.publish(toUpdate(changed, readMembers));
    } catch (error) {
      log.warn("Changes of members could not be published.", { error: String(error) });
    }
  }

  /** @returns the open rooms in which someone has changed */
  async #findChanged(
    inOne: [userId: string, roomId: string][],
    inAll: string[],
  ): Promise<Changed[]> {
    if (inOne.length + inAll.length === 0) return [];
    const userIds = [...new Set([...inOne.map(([userId]) => userId), ...inAll])];
    const roomIds = [...new Set(inOne.map(([, roomId]) => roomId))];
    const everywhere = new Set(inAll);
    const named = new Set(inOne.map((update) => update.join()));
    const { db, sql } = this.database;
    const read = [
      findSeats(db, { userIds, roomIds }),
      // Partners in active conversations are notified by `#toPartners`. Silent ones are read only
      // where they are open here, since people are in hundreds.
      inAll.length > 0 ? readSilentSeats(sql, this.sink.openDirects(), inAll) : [],
    ];
    const seats = (await Promise.all(read))
      .flat()
      .filter(
        ({ userId, roomId }) =>
          (everywhere.has(userId) && this.sink.isOpen(roomId)) || named.has(`${userId},${roomId}`),
      );
    const found = new Map(byRoom(seats).map((changed) => [changed.roomId, changed]));
    // People who have left the room have no seat.
    for (const [userId, roomId] of inOne) {
      const changed = found.get(roomId) ?? { roomId, userIds: new Set(), seats: [] };
      changed.userIds.add(userId);
      found.set(roomId, changed);
    }
    return [...found.values()];
  }

  /** Reads the people of as many rooms as the limits of one run allow. */
  async #readMembers(changes: Changed[]): Promise<ReadMembers> {
    let carried = 0;
    const carrying = new Set<Changed>();
    for (const changed of changes) {
      if (changed.seats.length > MAX_CARRIED) continue;
      if (carried + changed.seats.length > MAX_CARRIED_IN_ALL) continue;
      carried += changed.seats.length;
      carrying.add(changed);
    }
    const ids = new Set([...carrying].flatMap(({ seats }) => seats.map(({ userId }) => userId)));
    const people: People = ids.size > 0 ? await this.sink.readPeople([...ids]) : new Map();
    return (changed) => {
      return carrying.has(changed) ? toMembers(changed.seats, people) : null;
    };
  }
}

type ReadMembers = (changed: Changed) => Member[] | null;

function toUpdate(changed: Changed, readMembers: ReadMembers): MemberUpdate {
  const { roomId, userIds } = changed;
  const user_ids = userIds.size > MAX_NAMED ? null : [...userIds];
  return { room_id: roomId, user_ids, members: readMembers(changed) };
}

function byRoom(seats: Seat[]): Changed[] {
  return [...Map.groupBy(seats, ({ roomId }) => roomId)].map(([roomId, own]) => ({
    roomId,
    userIds: new Set(own.map(({ userId }) => userId)),
    seats: own,
  }));
}
