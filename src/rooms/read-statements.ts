/*
 * Hand-written SQL: lists of rooms and single rooms are what a client reads first and after each
 * change (`bench/routes.ts`). A list is read as its rows' versions, and rooms only where no text of
 * these versions is cached; what is unread is looked for only where the room's log is past the
 * mark, and many callers' rooms are read at once (unnest, lateral).
 */
import type { UserFields } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import { type PackedRows, splitPackedRows } from "../database/packed-rows.ts";
import type {
  MyRoom,
  Pinning,
  Privacy,
  Role,
  RoomKind,
  ThreadPush,
  Threads,
} from "../wire/models.ts";
import { type PinColumns, pinColumns } from "./newest-pin.ts";
import type { SeatKey } from "./statements.ts";
import { MENTION_COUNT, UNREAD } from "./unread.ts";

/** A room of a list, before anything is joined to it. */
export type RoomHead = {
  id: string;
  name: string;
  /**
   * The versions of all that the room's JSON is made of: its row, which every entry of its log updates
   * too, the row of the reader's membership, and what others see of people. PostgreSQL gives a row a new
   * `xmin` with each change.
   */
  versions: string;
};

/** A room with its owner and the reader's membership, whose columns are null without one. */
export type MyRoomRow = RoomHead &
  UserFields &
  PinColumns & {
    pinning: Pinning;
    kind: RoomKind;
    description: string | null;
    privacy: Privacy;
    is_archived: boolean;
    is_default: boolean;
    threads: Threads;
    created_at: Date;
    member_count: number;
    last_message_at: Date | null;
    last_seq: number;
    owner_id: string;
    role: Role | null;
    last_read_at: Date;
    last_read_seq: number;
    notify: NonNullable<MyRoom["membership"]>["notify"];
    thread_push: ThreadPush;
    pinned_at: Date | null;
    version: number;
    unread: boolean;
    mention_count: number;
  };

type Range = { after: string; limit: number };

/** What `page` has of a room and a membership. */
const pageColumns = (sql: SqlClient) => sql`
  r.id, r.kind, r.name, r.description, r.privacy, r.is_archived, r.is_default, r.threads, r.pinning, r.created_at,
  r.member_count, ${sql.unsafe(pinColumns("r"))},
  r.last_message_at, r.last_seq, m.room_id, m.user_id, m.role, m.last_read_at, m.last_read_seq,
  m.notify, m.thread_push, m.pinned_at, m.version,
  concat_ws(' ', r.xmin, coalesce(m.xmin::text, '-'), (select version from people_version)) as versions`;

/** The columns of `MyRoomRow`, from `page` under the name that the columns for the unread need. */
const pageDetails = (sql: SqlClient) => sql`
  memberships.*, u.id as owner_id, u.username, u.display_name, u.avatar_version, u.is_bot, u.is_active,
  memberships.last_seq > memberships.last_read_seq and ${sql.unsafe(UNREAD)} as unread,
  case when memberships.last_seq > memberships.last_read_seq
    then ${sql.unsafe(MENTION_COUNT)} else 0 end as mention_count
  from page as memberships
  cross join lateral (
    select user_id from memberships o where o.room_id = memberships.id and o.role = 'owner' limit 1
  ) o
  cross join lateral (select * from users where id = o.user_id limit 1) u`;

/** Unpacks the rows of a list. */
export function toHeads([row]: PackedRows[]): RoomHead[] {
  return splitPackedRows(row?.packed).map(([id = "", name = "", ...versions]) => ({
    id,
    name,
    versions: versions.join(" "),
  }));
}

/**
 * The rooms that a user is in and whose names come after one, by name. They are joined before they are
 * ordered (`offset 0`): along the names, each room of the site would be looked at.
 */
export async function readMemberHeads(
  sql: SqlClient,
  userId: string,
  { after, limit }: Range,
): Promise<RoomHead[]> {
  return toHeads(
    await sql<PackedRows[]>`
      select string_agg(concat_ws(' ', id, name, room, membership,
        (select version from people_version)), E'\n') as packed
      from (
        select * from (
          select r.id, r.name, r.xmin as room, m.xmin as membership
          from memberships m join rooms r on r.id = m.room_id
          where m.user_id = ${userId} and not m.is_direct and r.name > ${after}
          offset 0
        ) mine
        order by name limit ${limit}
      ) page`,
  );
}

/** Rooms of all kinds of privacy, by name; a filter that is null does not matter. */
export async function readAllHeads(
  sql: SqlClient,
  {
    after,
    limit,
    isArchived,
    pattern,
  }: Range & { isArchived: boolean | null; pattern: string | null },
): Promise<RoomHead[]> {
  return toHeads(
    await sql<PackedRows[]>`
      select string_agg(concat_ws(' ', id, name, xmin, (select version from people_version)), E'\n')
        as packed
      from (
        select id, name, xmin from rooms
        where kind = 'room' and name > ${after}
          and case when ${isArchived}::boolean is null then true else is_archived = ${isArchived} end
          and case when ${pattern}::text is null then true else name ilike ${pattern} end
        order by name limit ${limit}
      ) page`,
  );
}

/** @returns a row for each key, in their order; null where there is no such room */
export async function readSeatRooms(
  sql: SqlClient,
  keys: SeatKey[],
): Promise<(MyRoomRow | null)[]> {
  const rows = await sql<(MyRoomRow & { n: number })[]>`
    with page as (
      select asked.n::int, ${pageColumns(sql)}
      from unnest(
        ${keys.map((key) => key.userId)}::uuid[], ${keys.map((key) => key.roomId)}::uuid[]
      ) with ordinality as asked(user_id, room_id, n)
      cross join lateral (
        select *, xmin from rooms where id = asked.room_id and deleted_at is null limit 1
      ) r
      left join lateral (
        select *, xmin from memberships
        where room_id = asked.room_id and user_id = asked.user_id limit 1
      ) m on true
    )
    select ${pageDetails(sql)}`;
  const found = new Map(rows.map((row) => [row.n, row]));
  return keys.map((_, index) => found.get(index + 1) ?? null);
}
