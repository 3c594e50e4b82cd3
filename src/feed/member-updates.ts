import type { SqlClient } from "../database/connect.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { Member } from "../wire/models.ts";

const log = getLogger("feed");

const INTERVAL_MS = 1_000;
/** The number of people whose conversations one statement reads: each may have hundreds. */
const MAX_PEOPLE_PER_READ = 20;
/** Above this number of people, `user_ids` is null. */
const MAX_NAMED = 100;
/**
 * Above this number of members, in one room or in all rooms of a run, `members` is null, and
 * clients load the list again.
 */
const MAX_CARRIED = 500;
const MAX_CARRIED_IN_ALL = 5_000;

type People = Map<string, Pick<Member, "user" | "status">>;

/** A membership of a user whose profile or presence has changed. */
type ChangedMembership = {
  user_id: string;
  room_id: string;
  role: Member["role"];
  joined_at: Date;
};

/** Changes of what others see of the members of one room. */
type MemberUpdate = {
  room_id: string;
  /** Null if there are too many to list. */
  user_ids: string[] | null;
  /** Those of them who are members; null if there are too many to send. */
  members: Member[] | null;
};

type MemberUpdateSink = {
  /** Reads people as lists of members show them. Those who do not exist are omitted. */
  readPeople(userIds: string[]): Promise<People>;
  isHere(userId: string): boolean;
  isOpen(roomId: string): boolean;
  /** The conversations that someone here has open. */
  openDirects(): string[];
  /** Sends an update to the sockets that have its room open. */
  publish(update: MemberUpdate): void;
  /** Sends an update to these people's sockets, whatever they have open. */
  send(userIds: Iterable<string>, update: MemberUpdate): void;
};

/** The people of a room who have changed, and the memberships of those who are still in it. */
type RoomChange = { roomId: string; userIds: Set<string>; memberships: ChangedMembership[] };

/**
 * Coalesces changes that make member lists stale into at most one `member_updated` a second for a
 * room, so that ten thousand people who reconnect do not become ten thousand times ten thousand
 * events. The event carries the changed people, so that clients need not request them.
 */
export class MemberUpdates {
  /** Keys are `<user> <room>`, or `<user> ` for all rooms of the user. */
  readonly #updates: Coalescer<string>;
  /** People whose partners in conversations are notified, separately so that rooms do not wait for these. */
  readonly #partnerUpdates = new Coalescer((userIds: string[]) => this.#sendToPartners(userIds), {
    maxItems: MAX_PEOPLE_PER_READ,
  });

  constructor(
    private readonly sql: SqlClient,
    private readonly sink: MemberUpdateSink,
    intervalMs = INTERVAL_MS,
  ) {
    this.#updates = new Coalescer((keys: string[]) => this.#publishAll(keys), { intervalMs });
  }

  /** Notes a change of what others see of a user, in one room or in all. */
  add(userId: string, roomId = ""): void {
    this.#updates.add(`${userId} ${roomId}`);
  }

  stop(): void {
    void this.#updates.stop();
    void this.#partnerUpdates.stop();
  }

  async #publishAll(keys: string[]): Promise<void> {
    const updates = keys.map((key) => key.split(" ") as [userId: string, roomId: string]);
    const inOne = updates.filter(([, roomId]) => roomId !== "" && this.sink.isOpen(roomId));
    const inAll = updates.filter(([, roomId]) => roomId === "").map(([userId]) => userId);
    for (const userId of inAll) this.#partnerUpdates.add(userId);
    try {
      const inRooms = await this.#findChanged(inOne, inAll);
      const members = await this.#readMembers(inRooms);
      for (const change of inRooms) {
        const { roomId: room_id, userIds } = change;
        const user_ids = userIds.size > MAX_NAMED ? null : [...userIds];
        this.sink.publish({ room_id, user_ids, members: members.get(change) ?? null });
      }
    } catch (error) {
      log.warn("Changes of members could not be published.", { error: String(error) });
    }
  }

  /** @returns the open rooms in which someone has changed */
  async #findChanged(
    inOne: [userId: string, roomId: string][],
    inAll: string[],
  ): Promise<RoomChange[]> {
    if (inOne.length + inAll.length === 0) return [];
    const userIds = [...new Set([...inOne.map(([userId]) => userId), ...inAll])];
    const roomIds = [...new Set(inOne.map(([, roomId]) => roomId))];
    const everywhere = new Set(inAll);
    const updateKeys = new Set(inOne.map((update) => update.join()));
    const reads = [
      findMemberships(this.sql, userIds, roomIds),
      // `#sendToPartners` notifies partners in recent conversations. People may be in hundreds of
      // silent ones, so only those that are open on this instance are read.
      inAll.length > 0 ? readSilentMemberships(this.sql, this.sink.openDirects(), inAll) : [],
    ];
    const memberships = (await Promise.all(reads))
      .flat()
      .filter(
        ({ user_id, room_id }) =>
          (everywhere.has(user_id) && this.sink.isOpen(room_id)) ||
          updateKeys.has(`${user_id},${room_id}`),
      );
    const byId = new Map(byRoom(memberships).map((change) => [change.roomId, change]));
    // People who have left the room have no membership.
    for (const [userId, roomId] of inOne) {
      const change = byId.get(roomId) ?? { roomId, userIds: new Set(), memberships: [] };
      change.userIds.add(userId);
      byId.set(roomId, change);
    }
    return [...byId.values()];
  }

  /**
   * Sends changes of people to their partners in recent conversations who have a socket here, so that a
   * conversation is up to date before it is opened. Each conversation gets one event.
   */
  async #sendToPartners(userIds: string[]): Promise<void> {
    try {
      const rows = await readPartners(this.sql, userIds);
      const localRows = rows.filter(({ partner_id }) => this.sink.isHere(partner_id));
      if (localRows.length === 0) return;
      const people = await this.sink.readPeople([...new Set(localRows.map((row) => row.user_id))]);
      for (const [room_id, own] of Map.groupBy(localRows, (row) => row.room_id)) {
        const rowsById = new Map(own.map((row) => [row.user_id, row]));
        const members = toMembers([...rowsById.values()], people);
        const partnerIds = new Set(own.map((row) => row.partner_id));
        this.sink.send(partnerIds, { room_id, user_ids: [...rowsById.keys()], members });
      }
    } catch (error) {
      log.warn("Changes of people could not be sent to their partners.", { error: String(error) });
    }
  }

  /** Reads the members of as many rooms as the limits of one run allow. */
  async #readMembers(changes: RoomChange[]): Promise<Map<RoomChange, Member[]>> {
    let memberCount = 0;
    const carrying = changes.filter(({ memberships }) => {
      if (memberships.length > MAX_CARRIED) return false;
      if (memberCount + memberships.length > MAX_CARRIED_IN_ALL) return false;
      memberCount += memberships.length;
      return true;
    });
    const ids = carrying.flatMap(({ memberships }) => memberships.map(({ user_id }) => user_id));
    const people: People =
      ids.length > 0 ? await this.sink.readPeople([...new Set(ids)]) : new Map();
    return new Map(carrying.map((change) => [change, toMembers(change.memberships, people)]));
  }
}

function byRoom(memberships: ChangedMembership[]): RoomChange[] {
  return [...Map.groupBy(memberships, (membership) => membership.room_id)].map(([roomId, own]) => ({
    roomId,
    userIds: new Set(own.map(({ user_id }) => user_id)),
    memberships: own,
  }));
}

/** @returns the members who have these memberships; a user who is not in `people` is omitted */
function toMembers(memberships: ChangedMembership[], people: People): Member[] {
  return memberships.flatMap(({ user_id, role, joined_at }) => {
    const person = people.get(user_id);
    if (!person) return [];
    const { user, status } = person;
    return { user, role, joined_at: joined_at.toISOString(), status };
  });
}

/** Reads the memberships of these people in rooms, and in the named conversations. */
function findMemberships(sql: SqlClient, userIds: string[], roomIds: string[]) {
  return sql<ChangedMembership[]>`
    select user_id, room_id, role, joined_at from memberships
    where user_id = any(${userIds}::uuid[])
      and (not is_direct or room_id = any(${roomIds}::uuid[]))`;
}

/** Reads the conversations of these people that are not silent: a row for each other member. */
function readPartners(sql: SqlClient, userIds: string[]) {
  return sql<(ChangedMembership & { partner_id: string })[]>`
    select own.user_id, own.room_id, own.role, own.joined_at, other.user_id as partner_id
    from memberships own
    join memberships other on other.room_id = own.room_id and other.user_id <> own.user_id
    where own.user_id = any(${userIds}::uuid[]) and own.is_direct and not own.is_silent`;
}

/** Reads the memberships of these people in silent conversations. */
function readSilentMemberships(
  sql: SqlClient,
  roomIds: string[],
  userIds: string[],
): Promise<ChangedMembership[]> {
  if (roomIds.length === 0) return Promise.resolve([]);
  return sql<ChangedMembership[]>`
    select m.user_id, m.room_id, m.role, m.joined_at
    from unnest(${roomIds}::uuid[]) as open(id)
    join memberships m on m.room_id = open.id and m.is_silent
    join unnest(${userIds}::uuid[]) as changed(id) on changed.id = m.user_id`;
}
