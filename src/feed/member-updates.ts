import type { SqlClient } from "../database/connect.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import { MESSAGE_WRITER } from "../database/schema.ts";
import type { Member, User } from "../wire/models.ts";

const log = getLogger("feed");

const INTERVAL_MS = 1_000;
/** The number of people whose memberships one statement reads: each may have hundreds. */
const MAX_PEOPLE_PER_READ = 50;
/** After this time no further conversations are read, because the rooms of the next run wait. */
const MAX_CONVERSATIONS_MS = 1_000;
/** Above this number of people, `user_ids` is null. */
const MAX_NAMED = 100;
/**
 * Above this number of members, in one room or in all rooms of a run, `members` is null, and
 * clients load the list again.
 */
const MAX_CARRIED = 500;
const MAX_CARRIED_IN_ALL = 5_000;

type People = Map<string, Pick<Member, "user" | "status">>;

/**
 * A change of a user in one room, in all rooms, in all conversations that are not silent, or in what
 * they have written in rooms that they have left.
 */
type Update = [userId: string, scope: string | (typeof SCOPES)[number]];
const SCOPES = ["rooms", "conversations", "former-rooms"] as const;

/** Someone who has changed in a room or conversation. */
type Change = {
  user_id: string;
  room_id: string;
  /** Null for someone who is no longer a member. */
  role: Member["role"] | null;
  joined_at: Date | null;
  /** The other members of a conversation that is not silent; otherwise null. */
  partner_ids: string[] | null;
};

/** Changes of what others see of the members of one room. */
type MemberUpdate = {
  room_id: string;
  /** Null if there are too many to list. */
  user_ids: string[] | null;
  /** Those of them who are members; null if there are too many to send. */
  members: Member[] | null;
  /** Those of them who are not members. */
  former_members: User[];
};

type MemberUpdateSink = {
  /** Reads people as lists of members show them. Those who do not exist are omitted. */
  readPeople(userIds: string[]): Promise<People>;
  isHere(userId: string): boolean;
  isOpen(roomId: string): boolean;
  /** The rooms and conversations that someone here has open. */
  openRooms(): Iterable<string>;
  /** The conversations that someone here has open, with their members. */
  openDirects(): [roomId: string, memberIds: Iterable<string>][];
  /** Sends an update to these people's sockets; null for the sockets that have its room open. */
  publish(update: MemberUpdate, userIds: string[] | null): void;
};

/**
 * Coalesces changes that make member lists stale into at most one `member_updated` a second for a
 * room, so that ten thousand people who reconnect do not become ten thousand times ten thousand
 * events. The event carries the changed people, so that clients need not request them.
 *
 * Rooms and silent conversations receive it where they are open. Other conversations are to be up to date
 * before they are opened, so it is sent to all of their members who have a socket here.
 */
export class MemberUpdates {
  /** `Update`s, joined by spaces. */
  readonly #updates: Coalescer<string>;
  /** Counts the published updates. */
  publishCount = 0;

  constructor(
    private readonly sql: SqlClient,
    private readonly sink: MemberUpdateSink,
    intervalMs = INTERVAL_MS,
  ) {
    this.#updates = new Coalescer((keys: string[]) => this.#run(keys), { intervalMs });
  }

  /**
   * Notes a change of what others see of a user, in one room or in all.
   * @param isStatus it is only whether they are online, which rooms that they have left do not show
   */
  add(userId: string, roomId?: string, isStatus = false): void {
    const scopes = SCOPES.filter((scope) => !isStatus || scope !== "former-rooms");
    for (const scope of roomId ? [roomId] : scopes) this.#updates.add(`${userId} ${scope}`);
  }

  stop(): void {
    void this.#updates.stop();
  }

  async #run(keys: string[]): Promise<void> {
    const updates = keys.map((key) => key.split(" ") as Update);
    const inConversations = updates.filter(([, scope]) => scope === "conversations");
    const inRooms = updates.filter(
      ([, scope]) => scope === "rooms" || scope === "former-rooms" || this.sink.isOpen(scope),
    );
    const retry = (failed: Update[]) => (error: unknown) => {
      log.warn("Changes of members could not be published; retrying.", { error: String(error) });
      for (const update of failed) this.#updates.add(update.join(" "));
    };
    await this.#publishInRooms(inRooms).catch(retry(inRooms));
    await this.#publishInConversations(inConversations).catch(retry(inConversations));
  }

  async #publishInRooms(updates: Update[]): Promise<void> {
    const changes: Change[] = [];
    for (const slice of sliceByUser(updates)) {
      // Finding the open rooms goes through all who are connected, so it waits for a new name.
      const hasFormer = slice.some(([, scope]) => scope === "former-rooms");
      const openRoomIds = hasFormer ? [...this.sink.openRooms()] : [];
      const sliceChanges = await readChanges(this.sql, slice, openRoomIds);
      changes.push(...sliceChanges.filter(({ room_id }) => this.sink.isOpen(room_id)));
    }
    await this.#publish(changes);
  }

  async #publishInConversations(updates: Update[]): Promise<void> {
    const endsAt = performance.now() + MAX_CONVERSATIONS_MS;
    for (const slice of sliceByUser(updates)) {
      if (performance.now() < endsAt) {
        const withOpen = [...slice, ...this.#findOpenDirects(slice)];
        await this.#publish(await readChanges(this.sql, withOpen, []));
      } else for (const update of slice) this.#updates.add(update.join(" "));
    }
  }

  /** @returns the open conversations of these people, which may be silent */
  #findOpenDirects(updates: Update[]): Update[] {
    const userIds = new Set(updates.map(([userId]) => userId));
    return this.sink.openDirects().flatMap(([roomId, memberIds]) => {
      const changedIds = [...memberIds].filter((id) => userIds.has(id));
      return changedIds.map((id): Update => [id, roomId]);
    });
  }

  /** Publishes an update of each room and conversation. Rooms carry as many members as the limits of one run allow. */
  async #publish(changes: Change[]): Promise<void> {
    let count = 0;
    const byRoom = [...Map.groupBy(changes, ({ room_id }) => room_id)];
    const updates = byRoom.flatMap(([room_id, roomChanges]) => {
      // Updates in one room and in all may both find a membership.
      const own = [...new Map(roomChanges.map((change) => [change.user_id, change])).values()];
      const recipientIds = this.#recipientsOf(own);
      if (recipientIds?.length === 0) return [];
      const fits = own.length <= MAX_CARRIED && count + own.length <= MAX_CARRIED_IN_ALL;
      const isCarrying = recipientIds !== null || fits;
      if (isCarrying) count += own.length;
      return { room_id, own, recipientIds, isCarrying };
    });
    const carrying = updates.filter(({ isCarrying }) => isCarrying);
    const ids = new Set(carrying.flatMap(({ own }) => own.map(({ user_id }) => user_id)));
    const people: People = ids.size > 0 ? await this.sink.readPeople([...ids]) : new Map();
    for (const { room_id, own, recipientIds, isCarrying } of updates) {
      const user_ids = own.length > MAX_NAMED ? null : own.map(({ user_id }) => user_id);
      const members = isCarrying ? toMembers(own, people) : null;
      const former_members = own.flatMap(({ user_id, role }) =>
        role ? [] : (people.get(user_id)?.user ?? []),
      );
      this.publishCount += 1;
      this.sink.publish({ room_id, user_ids, members, former_members }, recipientIds);
    }
  }

  /** @returns the partners who are here, in a conversation that is not silent; otherwise null */
  #recipientsOf(changes: Change[]): string[] | null {
    if (!changes.some(({ partner_ids }) => partner_ids)) return null;
    const partnerIds = new Set(changes.flatMap(({ partner_ids }) => partner_ids ?? []));
    return [...partnerIds].filter((id) => this.sink.isHere(id));
  }
}

/** The updates of a few people at a time. */
function* sliceByUser(updates: Update[]): Generator<Update[]> {
  const byUser = [...Map.groupBy(updates, ([userId]) => userId).values()];
  for (let start = 0; start < byUser.length; start += MAX_PEOPLE_PER_READ) {
    yield byUser.slice(start, start + MAX_PEOPLE_PER_READ).flat();
  }
}

/** @returns those who are members; a user who is not in `people` is omitted */
function toMembers(changes: Change[], people: People): Member[] {
  return changes.flatMap(({ user_id, role, joined_at }) => {
    const person = people.get(user_id);
    if (!person || !role || !joined_at) return [];
    const { user, status } = person;
    return { user, role, joined_at: joined_at.toISOString(), status };
  });
}

function readChanges(sql: SqlClient, updates: Update[], openRoomIds: string[]) {
  const usersIn = (name: (typeof SCOPES)[number]) =>
    updates.filter(([, scope]) => scope === name).map(([userId]) => userId);
  const inOne = updates.filter(([, scope]) => !SCOPES.includes(scope as never));
  return sql<Change[]>`
    with changed as (
      select user_id, room_id, role, joined_at, false as is_for_partners from memberships
      where user_id = any(${usersIn("rooms")}::uuid[]) and not is_direct
      union all
      select user_id, room_id, role, joined_at, true from memberships
      where user_id = any(${usersIn("conversations")}::uuid[]) and is_direct and not is_silent
      union all
      select user_id, room_id, role, joined_at, coalesce(is_direct and not is_silent, false)
      from unnest(
        ${inOne.map(([userId]) => userId)}::uuid[], ${inOne.map(([, roomId]) => roomId)}::uuid[]
      ) as one(user_id, room_id)
      left join memberships using (user_id, room_id)
      union all
      select former.user_id, open.room_id, null, null, false
      from unnest(${usersIn("former-rooms")}::uuid[]) as former(user_id)
      cross join unnest(${openRoomIds}::uuid[]) as open(room_id)
      cross join lateral (
        select from messages
        where room_id = open.room_id and ${sql.unsafe(MESSAGE_WRITER)} = former.user_id limit 1
      ) written
      where not exists (
        select from memberships where room_id = open.room_id and user_id = former.user_id
      )
    )
    select user_id, room_id, role, joined_at, case when is_for_partners then array(
      select other.user_id from memberships other
      where other.room_id = changed.room_id and other.user_id <> changed.user_id
    ) end as partner_ids
    from changed`;
}
