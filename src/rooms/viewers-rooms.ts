import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Fragment, SqlClient } from "../database/connect.ts";
import { IS_ONLINE, toStatus } from "../presence/read.ts";
import { toUser, type UserFields, userFields, userFieldsJson } from "../users/users.ts";
import type { Direct, Membership, MyRoom, Privacy, Role, Room, RoomKind } from "../wire/models.ts";
import { type MembershipKey, type Need, refusalFor } from "./access.ts";
import { mutedUntil } from "./muted.ts";
import { newestPin, NO_PINS, type PinColumns, toExcerpt, toPins } from "./newest-pin.ts";
import { MENTION_COUNT, UNREAD, UNREAD_COUNT } from "./unread.ts";

/** What rooms and conversations have in common. */
type CommonRow = { id: string; created_at: Date; last_message_at: Date | null; last_seq: number };

export type RoomRow = CommonRow &
  UserFields &
  Omit<Room, "owner" | "seq" | "created_at" | "last_message_at"> & { owner_id: string };

/** The same with the viewer's membership, whose columns are null for viewers who are not in the room. */
type ViewersRow = CommonRow &
  PinColumns &
  Pick<Membership, "last_read_seq" | "notify" | "unread" | "version"> & {
    privacy: Privacy;
    role: Role | null;
    last_read_at: Date;
    muted_until: Date | null;
    pinned_at: Date | null;
  };

export type MyRoomRow = ViewersRow &
  RoomRow &
  Pick<Membership, "thread_push" | "mention_count"> & { kind: "room" };

export type DirectRow = ViewersRow & {
  kind: "direct";
  direct_kind: Direct["kind"];
  is_closed: boolean;
  hidden_at: Date | null;
  unread_count: number;
  members: (UserFields & { id: string; online: boolean })[];
  /** Only in a list that asks for it. `content` is the beginning of the text, as Markdown. */
  last_message?: { id: string; author_id: string; content: string | null } | null;
};

function toCommonFields({ id, created_at, last_message_at, last_seq }: CommonRow) {
  return {
    id,
    created_at: created_at.toISOString(),
    last_message_at: last_message_at?.toISOString() ?? null,
    seq: last_seq,
  };
}

function toMembership(row: ViewersRow) {
  return {
    last_read_at: row.last_read_at.toISOString(),
    last_read_seq: row.last_read_seq,
    notify: row.notify,
    muted_until: row.muted_until?.toISOString() ?? null,
    unread: row.unread,
    pinned_at: row.pinned_at?.toISOString() ?? null,
    version: row.version,
  };
}

export function toRoom(row: RoomRow): Room {
  return {
    ...toCommonFields(row),
    name: row.name,
    description: row.description,
    privacy: row.privacy,
    is_archived: row.is_archived,
    is_default: row.is_default,
    pinning: row.pinning,
    threads: row.threads,
    owner: toUser({ ...row, id: row.owner_id }),
    member_count: row.member_count,
    private_until_seq: row.private_until_seq,
  };
}

export function toMyRoom(row: MyRoomRow): MyRoom {
  const { role, thread_push, mention_count } = row;
  return {
    ...toRoom(row),
    ...(role ? toPins(row) : NO_PINS),
    membership: role && { role, ...toMembership(row), thread_push, mention_count },
  };
}

export function toDirect(row: DirectRow): Direct {
  const { last_message: last } = row;
  return {
    ...toCommonFields(row),
    kind: row.direct_kind,
    members: row.members.map((member) => ({
      user: toUser(member),
      status: toStatus(member.online),
    })),
    is_closed: row.is_closed,
    ...toPins(row),
    membership: {
      ...toMembership(row),
      unread_count: row.unread_count,
      hidden_at: row.hidden_at?.toISOString() ?? null,
    },
    ...(last !== undefined && {
      last_message: last && {
        id: last.id,
        author_id: last.author_id,
        excerpt: toExcerpt(last.content ?? ""),
      },
    }),
  };
}

const COMMON_COLUMNS = `
  r.id, r.kind, r.privacy, r.created_at, r.last_message_at, r.last_seq, r.pin_count,
  m.room_id, m.user_id, m.role, m.last_read_at, m.last_read_seq, m.notify, m.pinned_at, m.version,
  ${mutedUntil("m")} as muted_until`;

/** SQL: the columns of rooms `r` and of the viewer's memberships `m` that `selectViewersRooms` needs. */
export const PAGE_COLUMNS: Record<RoomKind, string> = {
  room: `${COMMON_COLUMNS}, r.name, r.description, r.is_archived, r.is_default, r.threads, r.pinning,
    r.member_count, r.private_until_seq, m.thread_push`,
  direct: `${COMMON_COLUMNS}, r.direct_kind, r.is_closed, m.hidden_at`,
};

/** SQL, boolean: whether the viewer's mark is behind the log; otherwise nothing is unread. */
const IS_BEHIND = "memberships.last_seq > memberships.last_read_seq";
/** SQL, boolean, from a row named `memberships` with `PAGE_COLUMNS`. */
export const IS_UNREAD = `${IS_BEHIND} and ${UNREAD}`;

/** SQL: further columns of a row of a page, which is named `memberships`. */
const DETAILS: Record<RoomKind, string> = {
  room: `u.id as owner_id, ${userFields("u")},
    case when ${IS_BEHIND} then ${MENTION_COUNT} else 0 end as mention_count`,
  direct: `case when ${IS_BEHIND} then ${UNREAD_COUNT} else 0 end as unread_count,
    (
      select json_agg(json_build_object('id', users.id, ${userFieldsJson("users")}, 'online', ${IS_ONLINE})
        order by users.username)
      from memberships o join users on users.id = o.user_id where o.room_id = memberships.id
    ) as members`,
};

const JOIN_OWNER = `
  cross join lateral (
    select user_id from memberships o where o.room_id = memberships.id and o.role = 'owner' limit 1
  ) o
  cross join lateral (select * from users where id = o.user_id limit 1) u`;

/**
 * Selects the columns of `MyRoomRow` or `DirectRow`.
 * @param page SQL for rows with the `PAGE_COLUMNS` of the kind
 */
export const selectViewersRooms = (sql: SqlClient, kind: RoomKind, page: Fragment) => sql`
  with page as (${page})
  select memberships.*, ${sql.unsafe(IS_UNREAD)} as unread, ${sql.unsafe(newestPin("memberships"))},
    ${sql.unsafe(DETAILS[kind])}
  from page as memberships ${sql.unsafe(kind === "room" ? JOIN_OWNER : "")}`;

/**
 * Makes a function that reads a room or conversation as a user sees it; null if the user may not see it.
 * Details are read only of what the user may see: the time that they take would reveal that a private room
 * exists (`bench/hidden.ts`).
 */
const createReader = <Row extends MyRoomRow | DirectRow>(kind: Row["kind"]) =>
  coalesceReads(async (sql, keys: MembershipKey[]) => {
    const page = sql`
      select key.n::int, ${sql.unsafe(PAGE_COLUMNS[kind])}
      from unnest(
        ${keys.map((key) => key.userId)}::uuid[], ${keys.map((key) => key.roomId)}::uuid[]
      ) with ordinality as key(user_id, room_id, n)
      left join lateral (
        select * from rooms where id = key.room_id and kind = ${kind} and deleted_at is null limit 1
      ) r on true
      left join lateral (
        select * from memberships
        where room_id = key.room_id and user_id = key.user_id and is_direct = ${kind === "direct"} limit 1
      ) m on true
      where r.privacy = 'open' or m.user_id is not null`;
    const rows = await sql<(Row & { n: number })[]>`${selectViewersRooms(sql, kind, page)}`;
    const byNumber = new Map(rows.map((row) => [row.n, row]));
    return keys.map((_, index) => byNumber.get(index + 1) ?? null);
  });

const readMyRoom = createReader<MyRoomRow>("room");
const readDirect = createReader<DirectRow>("direct");

/** @throws Refusal `room_not_found`, also for a conversation */
export async function requireRoom(sql: SqlClient, userId: string, roomId: string): Promise<MyRoom> {
  return toMyRoom(requireRow(await readMyRoom(sql, { userId, roomId }), "see"));
}

/** @throws Refusal `room_not_found`, also for a room */
export async function requireDirect(sql: SqlClient, userId: string, id: string): Promise<Direct> {
  return toDirect(requireRow(await readDirect(sql, { userId, roomId: id }), "direct_member"));
}

function requireRow<Row extends MyRoomRow | DirectRow>(row: Row | null, need: Need): Row {
  const refusal = refusalFor(row, row?.role ?? null, need);
  if (refusal || !row) throw refusal;
  return row;
}
