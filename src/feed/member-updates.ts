import { and, not, or, sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships } from "../database/schema.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { Member } from "../wire/models.ts";
import {
  type DirectSeat,
  findPartners,
  readConversations,
  readSilentSeats,
} from "./partner-statements.ts";

const log = getLogger("feed");

const INTERVAL_MS = 1_000;
/** People whose conversations are read at once: each may have hundreds. */
const MAX_PEOPLE_PER_READ = 20;
/** Past these, `user_ids` is null. */
const MAX_NAMED = 100;
/** Past these, `members` is null, and the whole list is stale; also in all rooms of one run. */
const MAX_CARRIED = 500;
const MAX_CARRIED_IN_ALL = 5_000;

const seatColumns = {
  userId: memberships.userId,
  roomId: memberships.roomId,
  role: memberships.role,
  joinedAt: memberships.joinedAt,
};
type Seat = DirectSeat;

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

/** People as members' lists show them, by id. */
export type People = Map<string, Pick<Member, "user" | "status">>;

export type MemberUpdate = {
  room_id: string;
  /** Who has changed; null past `MAX_NAMED`. */
  user_ids: string[] | null;
  /** Those of them who are members, as they are now; null past `MAX_CARRIED`. */
  members: Member[] | null;
};

export type MemberUpdateSink = {
  /** Whether anyone here would hear of a room. */
  isOpen(roomId: string): boolean;
  readPeople(userIds: string[]): Promise<People>;
  /** The conversations that someone here has open. */
  openDirects(): string[];
  /** Whether someone has a socket here. */
  isHere(userId: string): boolean;
  publish(update: MemberUpdate): void;
  /** Sends it to these people's sockets, whatever they have open. */
  send(userIds: Iterable<string>, update: MemberUpdate): void;
};

/** Who has changed in a room, with the seats of those who are in it. */
type Changed = { roomId: string; userIds: Set<string>; seats: Seat[] };

/**
 * Coalesces what makes member lists stale to at most one `member_updated` a second for a room, so
 * that ten thousand people who reconnect do not become ten thousand times ten thousand events. It
 * carries the people concerned, so that no viewer has to ask for them.
 */
export class MemberUpdates {
  /** Keys are `<user> <room>`, or `<user> ` for all rooms of the user. */
  readonly #updates = new Coalescer((keys: string[]) => this.#publishAll(keys), {
    intervalMs: INTERVAL_MS,
  });
  /** People whose partners are to hear; rooms do not wait for that, or they would be read many at once. */
  readonly #toPartners = new Coalescer((userIds: string[]) => this.#publishToPartners(userIds), {
    maxItems: MAX_PEOPLE_PER_READ,
  });

  constructor(
    private readonly database: Database,
    private readonly sink: MemberUpdateSink,
  ) {}

  /** Something that others see of this user has changed, in one room or in all. */
  add(userId: string, roomId = ""): void {
    this.#updates.add(`${userId} ${roomId}`);
  }

  stop(): void {
    void this.#updates.stop();
    void this.#toPartners.stop();
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
      // Of the active ones all partners hear. From the side of what is open: people are in hundreds.
      inAll.length > 0 ? readSilentSeats(sql, this.sink.openDirects(), inAll) : [],
    ];
    const seats = (await Promise.all(read))
      .flat()
      .filter(
        ({ userId, roomId }) =>
          (everywhere.has(userId) && this.sink.isOpen(roomId)) || named.has(`${userId},${roomId}`),
      );
    const found = new Map(byRoom(seats).map((changed) => [changed.roomId, changed]));
    // Those who are in the room no longer have no seat.
    for (const [userId, roomId] of inOne) {
      const changed = found.get(roomId) ?? { roomId, userIds: new Set(), seats: [] };
      changed.userIds.add(userId);
      found.set(roomId, changed);
    }
    return [...found.values()];
  }

  /**
   * Sends changes of people to their partners who are here, in active conversations: what they show is
   * current before they are opened. Of a conversation it is one event, with all who have changed.
   */
  async #publishToPartners(userIds: string[]): Promise<void> {
    try {
      await this.#sendToPartners(userIds);
    } catch (error) {
      log.warn("Changes of people could not be sent to their partners.", { error: String(error) });
    }
  }

  async #sendToPartners(userIds: string[]): Promise<void> {
    const { isHere } = this.sink;
    const due = new Map<string, { seats: Seat[]; partnerIds: Set<string> }>();
    for (const [userId, packed] of await readConversations(this.database.sql, userIds)) {
      for (const { partnerIds, ...seat } of findPartners(packed, isHere)) {
        const conversation = due.get(seat.roomId) ?? { seats: [], partnerIds: new Set() };
        conversation.seats.push({ userId, ...seat });
        for (const id of partnerIds) conversation.partnerIds.add(id);
        due.set(seat.roomId, conversation);
      }
    }
    if (due.size === 0) return;
    const changed = [...due.values()].flatMap(({ seats }) => seats.map(({ userId }) => userId));
    const people = await this.sink.readPeople([...new Set(changed)]);
    for (const [room_id, { seats, partnerIds }] of due) {
      const user_ids = seats.map(({ userId }) => userId);
      this.sink.send(partnerIds, { room_id, user_ids, members: toMembers(seats, people) });
    }
  }

  /** Reads the people of as many rooms as an event may carry in all. */
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

function toMembers(seats: Seat[], people: People): Member[] {
  return seats.flatMap(({ userId, role, joinedAt }) => {
    const person = people.get(userId);
    if (!person) return [];
    const { user, status } = person;
    return { user, role, joined_at: joinedAt.toISOString(), status };
  });
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
