import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";
import { parseTime } from "../platform/input/time.ts";
import { requireMembership, type RoomState } from "../rooms/access.ts";
import { readUnreadCount } from "../rooms/unread.ts";
import { DEFAULT_PAGE } from "../wire/limits.ts";
import type { JoinRun, Message } from "../wire/models.ts";
import { toUser, type UserFields, userFields } from "../users/users.ts";
import type { HistoryQuery } from "../wire/queries.ts";
import type { ThreadQuery } from "../wire/threads.ts";
import { embedsFor, addExcerpts, REPLY_EMBEDS } from "./embeds.ts";
import { type EmbeddingRow, messageColumns, toViewersMessage } from "./read.ts";
import { makeMessageNotFoundRefusal } from "./refusals.ts";

/**
 * Reads a page of a room's history, the oldest message first, ordered by the unique number in the
 * room's log.
 * @returns the JSON of a `History`
 * @throws Refusal of `requireMembership`, `checkAnchors` and `readPage`
 */
export async function readHistory(
  sql: SqlClient,
  pages: HistoryPages,
  viewerId: string,
  roomId: string,
  query: HistoryQuery,
): Promise<string> {
  const room = await requireMembership(sql, viewerId, roomId, "member");
  checkAnchors(query);
  return pages.read(viewerId, roomId, room, query);
}

/** A page as JSON, without the fields that differ by viewer. */
type CachedPage = {
  /** The JSON of each message. */
  items: string[];
  /** The field `joins` as JSON, with its name; empty unless it was requested. */
  joins: string;
  /** The `client_id`s of messages, each of which only the author sees. */
  clientIds: { index: number; authorId: string; clientId: string }[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
};

/** A page, and whether every member of the room may be shown it until the version changes. */
type LoadedPage = { page: CachedPage; isShared: boolean };

const MAX_CACHE_BYTES = 48 * 1024 * 1024;
const PAGE_BYTES = 500;

/**
 * A cache of the newest pages of rooms, which many open at once. An entry is valid while its version is
 * that of the room's log and of people's public data, as read by the check of the caller's membership.
 * Whatever changes what a message shows must therefore change one of them. A page that references rooms
 * is not cached, because not every viewer may see these rooms.
 */
export class HistoryPages {
  readonly #pages = new LRUCache<string, { page: CachedPage; version: string }>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ page }) =>
      page.items.reduce((bytes, item) => bytes + item.length, PAGE_BYTES + page.joins.length),
  });
  /** Loads in progress, by key and version: concurrent callers share them. */
  readonly #loads = new Map<string, Promise<LoadedPage>>();

  constructor(private readonly sql: SqlClient) {}

  /**
   * @param room the state read by the membership check
   * @returns the JSON of a `History`
   * @throws Refusal of `readPage`
   */
  async read(
    viewerId: string,
    roomId: string,
    room: RoomState,
    query: HistoryQuery = { limit: DEFAULT_PAGE },
  ): Promise<string> {
    const { before, after, around, at, top = "", joins = "", limit } = query;
    const isNewest = [before, after, around, at].every((anchor) => anchor === undefined);
    const countUnread = query.unread && readUnreadCount(this.sql, viewerId, roomId, room.last_seq);
    const load = async (): Promise<LoadedPage> => {
      const scope = { roomId, viewerId, lastSeq: room.last_seq, isTop: top !== "" };
      const page = await readPage(this.sql, scope, query);
      const { rows, hasMoreBefore, hasMoreAfter } = page;
      // A conversation's model lists its members.
      const withJoins = joins && room.kind === "room";
      const runs = withJoins ? await readJoins(this.sql, scope, query, page) : [];
      return {
        page: {
          ...toCachedItems(rows, viewerId),
          joins: joins && `,"joins":${JSON.stringify(runs)}`,
          hasMoreBefore,
          hasMoreAfter,
        },
        isShared: rows.every((row) => !row.embeds?.room_references),
      };
    };
    const key = [roomId, top, joins, limit].join(" ");
    const version = `${room.last_seq} ${room.people_version}`;
    const [page, count] = await Promise.all([
      isNewest ? this.#readNewest(key, version, load) : (await load()).page,
      countUnread,
    ]);
    const items = itemsFor(page, viewerId).join();
    // The unread count differs by viewer, so it is not cached.
    const unread = query.unread ? `,"unread":${JSON.stringify(count)}` : "";
    return `{"items":[${items}]${page.joins}${unread},"has_more_before":${page.hasMoreBefore},"has_more_after":${page.hasMoreAfter},"seq":${room.last_seq}}`;
  }

  /** @param load reads the page for this caller; it is cached if it is shared */
  async #readNewest(
    key: string,
    version: string,
    load: () => Promise<LoadedPage>,
  ): Promise<CachedPage> {
    const cached = this.#pages.get(key);
    if (cached?.version === version) return cached.page;
    const loadKey = `${key} ${version}`;
    const pending = this.#loads.get(loadKey);
    if (pending) {
      const { page, isShared } = await pending;
      return isShared ? page : (await load()).page;
    }
    const newLoad = load().finally(() => this.#loads.delete(loadKey));
    this.#loads.set(loadKey, newLoad);
    const { page, isShared } = await newLoad;
    if (isShared) this.#pages.set(key, { page, version });
    return page;
  }
}

function toCachedItems(rows: EmbeddingRow[], viewerId: string) {
  return {
    items: rows.map((row) =>
      JSON.stringify({ ...toViewersMessage(row, viewerId), client_id: null }),
    ),
    clientIds: rows.flatMap(({ author_id: authorId, client_id: clientId }, index) =>
      clientId === null ? [] : { index, authorId, clientId },
    ),
  };
}

/** Adds the viewer's own `client_id`s to the JSON of the messages. */
function itemsFor({ items, clientIds }: CachedPage, viewerId: string): string[] {
  const ownClientIds = clientIds.filter(({ authorId }) => authorId === viewerId);
  if (ownClientIds.length === 0) return items;
  const viewersItems = [...items];
  for (const { index, clientId } of ownClientIds) {
    const message: Message = JSON.parse(items[index] as string);
    viewersItems[index] = JSON.stringify({ ...message, client_id: clientId });
  }
  return viewersItems;
}

/** The viewer, the room, and the thread if the page is part of one. */
export type PageScope = {
  roomId: string;
  viewerId: string;
  lastSeq: number;
  threadId?: string;
  /** Whether to exclude replies. */
  isTop?: boolean;
};
type Anchors = Pick<HistoryQuery, "before" | "after" | "around" | "at">;
/** A page of a room's history, the oldest message first. */
export type PageRows = { rows: EmbeddingRow[]; hasMoreBefore: boolean; hasMoreAfter: boolean };

/** Checks that a query has at most one anchor. @throws Refusal `validation` */
export function checkAnchors(query: Anchors & Pick<ThreadQuery, "around_read_mark">): void {
  const { before, after, around, at, around_read_mark: mark } = query;
  const anchors = [before, after, around, at, mark].filter((anchor) => anchor !== undefined);
  if (anchors.length > 1)
    throw makeFieldRefusal("/before", "Use only one of before, after, around and at.");
}

/**
 * Reads a page of a room's history or of a thread's replies: the newest page; the messages before,
 * after or around a message; or around the first message at or after a time (the newest if all are
 * older).
 * @throws Refusal `message_not_found`; `validation` for an impossible time
 */
export async function readPage(
  sql: SqlClient,
  scope: PageScope,
  { before, after, around, at, limit }: Anchors & { limit: number },
): Promise<PageRows> {
  if (after !== undefined) {
    const newer = await readBeside(sql, scope, { id: after }, limit, "after");
    return { rows: newer.rows, hasMoreBefore: true, hasMoreAfter: newer.hasMore };
  }
  const anchor = around !== undefined ? { id: around } : await findFirstAt(sql, scope, at);
  if (anchor) return readAround(sql, scope, anchor, limit);
  const newest = { seq: Number.MAX_SAFE_INTEGER - 1 };
  const older = await readBeside(sql, scope, before ? { id: before } : newest, limit, "before");
  return { rows: older.rows, hasMoreBefore: older.hasMore, hasMoreAfter: before !== undefined };
}

/**
 * Reads who joined between the messages of a page, and next to it where there are no more messages. Joins after
 * `lastSeq` are left out: the page does not include their events, which clients add to its runs.
 */
async function readJoins(
  sql: SqlClient,
  { roomId, lastSeq }: PageScope,
  { before, after }: Anchors,
  { rows, hasMoreBefore, hasMoreAfter }: PageRows,
): Promise<JoinRun[]> {
  const seqs = rows.map(({ seq }) => seq);
  // The range runs to the query's anchor, or to the edge of the page if there are more messages.
  const start = after ? { id: after } : hasMoreBefore ? seqs[0] : undefined;
  const end = before ? { id: before } : hasMoreAfter ? seqs.at(-1) : undefined;
  const range = { roomId, after: start ?? 0, before: end ?? lastSeq + 1, seqs };
  const runs = new Map<number, JoinRun>();
  for (const row of await readJoinRows(sql, range)) {
    const { first_seq, last_seq, count } = row;
    const run = runs.get(first_seq) ?? { first_seq, last_seq, count, users: [] };
    run.users.push(toUser(row));
    runs.set(first_seq, run);
  }
  return [...runs.values()];
}

/** The half before the anchor includes the anchor. */
export async function readAround(sql: SqlClient, scope: PageScope, anchor: Anchor, limit: number) {
  const [older, newer] = await Promise.all([
    readBeside(sql, scope, anchor, Math.ceil(limit / 2), "before", true),
    readBeside(sql, scope, anchor, Math.floor(limit / 2), "after"),
  ]);
  return {
    rows: [...older.rows, ...newer.rows],
    hasMoreBefore: older.hasMore,
    hasMoreAfter: newer.hasMore,
  };
}

/**
 * Reads the messages next to an anchor, the oldest first.
 * @throws Refusal `message_not_found` if the anchor does not exist
 */
async function readBeside(
  sql: SqlClient,
  scope: PageScope,
  anchor: Anchor,
  limit: number,
  side: Side,
  isIncluded = false,
) {
  const pageRows = await selectBeside(sql, {
    ...scope,
    anchor,
    limit: limit + 1,
    side,
    isIncluded,
  });
  if (pageRows.length === 0) throw makeMessageNotFoundRefusal();
  const rows = pageRows.filter((row) => row.id !== null);
  await addExcerpts(rows.map(({ embeds }) => embeds));
  const nearest = rows.slice(0, limit);
  return {
    rows: side === "before" ? nearest.reverse() : nearest,
    hasMore: rows.length > limit,
  };
}

/** The position of a page: a message, or a number in the room's log. */
export type Anchor = { id: string } | { seq: number };
type Side = "before" | "after";
type PageKey = Omit<PageScope, "lastSeq"> & {
  anchor: Anchor;
  limit: number;
  side: Side;
  isIncluded?: boolean;
};
/** A message of a page; nulls if the page is empty. Without a row, the anchor does not exist. */
type PageRow = EmbeddingRow | { id: null };

/** SQL for the anchor's number; null if the room, or the thread with its root, has no such message. */
const anchorSeq = (sql: SqlClient, { roomId, threadId, anchor }: PageKey) => sql`
  coalesce(${"seq" in anchor ? anchor.seq : null}::bigint, (
    select seq from messages where id = ${"id" in anchor ? anchor.id : null} and room_id = ${roomId}
      ${threadId === undefined ? sql`` : sql`and (thread_id = ${threadId} or id = ${threadId})`}
  ))`;

/** SQL condition that a message belongs to the page. */
const isOnPage = (sql: SqlClient, { roomId, threadId, isTop }: PageKey) =>
  threadId === undefined
    ? sql`room_id = ${roomId} ${isTop ? sql`and thread_id is null` : sql``}`
    : sql`thread_id = ${threadId}`;

/** Reads the messages on one side of an anchor, the nearest first. A page of replies leaves out their root. */
export function selectBeside(sql: SqlClient, key: PageKey) {
  const { viewerId, threadId, limit, side, isIncluded = false } = key;
  const embeds = embedsFor(sql, viewerId, threadId === undefined ? undefined : REPLY_EMBEDS);
  const [comparison, order] = side === "before" ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  return sql<PageRow[]>`
    select ${messageColumns(sql)}, ${embeds}
    from (select ${anchorSeq(sql, key)} + ${isIncluded ? 1 : 0} as seq) anchor
    left join lateral (
      select * from messages where ${isOnPage(sql, key)} and seq ${comparison} anchor.seq
      order by seq ${order} limit ${limit}
    ) m on true
    left join lateral (select * from users where id = m.author_id limit 1) u on true
    where anchor.seq is not null
    order by m.seq ${order}`;
}

/**
 * Finds the number of a room's first message at or after a time; null without a time, or if all are older.
 *
 * Times increase with the room's numbers, since both are assigned under its lock, so a binary search
 * works: each step is one lookup in the index on room and number, twenty for a million messages, and
 * inserts need no index on times. If a clock was set back, the result may be a nearby message.
 */
async function findFirstAt(
  sql: SqlClient,
  { roomId, lastSeq }: PageScope,
  at: string | undefined,
): Promise<{ seq: number } | null> {
  if (at === undefined) return null;
  const time = parseTime(at, "/at");
  const [row] = await sql<{ seq: number }[]>`
    with recursive range(low, high) as (
      select 1::bigint, ${lastSeq}::bigint + 1
      union all
      select case when probe.is_before then probe.seq + 1 else low end,
        case when probe.is_before then high else (low + high) / 2 end
      from range left join lateral (
        select m.seq, m.created_at < ${time} as is_before from messages m
        where m.room_id = ${roomId} and m.seq >= (range.low + range.high) / 2
        order by m.seq limit 1
      ) probe on true
      where low < high
    )
    select m.seq from messages m
    where m.room_id = ${roomId} and m.seq >= (select low from range where low >= high)
    order by m.seq limit 1`;
  return row ?? null;
}

/** The range of a room's log that a page of history covers; the page's messages split it into runs. */
type JoinsRange = {
  roomId: string;
  /** The number before the range, or the message that has it. */
  after: number | { id: string };
  /** The number after the range, or the message that has it. */
  before: number | { id: string };
  /** The numbers of the messages, ascending. */
  seqs: number[];
};

type JoinRow = UserFields & {
  id: string;
  first_seq: number;
  last_seq: number;
  count: number;
};

/** How many people of a run are listed: clients name all of them, or two and a count. */
const MAX_NAMED = 3;
/** Only the newest joins of a range are read, so that a page of any room is read in milliseconds. */
const MAX_JOINS = 1_000;
/** The first entry of a log is the membership of the room's creator. */
const CREATED_SEQ = 1;

/** Reads who joined, a row for each named person of each run, in the order of the log. */
function readJoinRows(sql: SqlClient, { roomId, after, before, seqs }: JoinsRange) {
  const seqOf = (end: number | { id: string }) =>
    typeof end === "number"
      ? sql`${end}::bigint`
      : sql`(select seq from messages where id = ${end.id} and room_id = ${roomId})`;
  return sql<JoinRow[]>`
    with joined as (
      select seq, user_id, width_bucket(seq, ${seqs}::bigint[]) as gap from room_log
      where room_id = ${roomId} and type = 'member_added'
        and seq > greatest(${seqOf(after)}, ${CREATED_SEQ}::bigint) and seq < ${seqOf(before)}
      order by seq desc limit ${MAX_JOINS}
    ), run as (
      select seq, user_id, row_number() over (partition by gap order by seq) as place,
        min(seq) over (partition by gap) as first_seq, max(seq) over (partition by gap) as last_seq,
        (count(*) over (partition by gap))::int as count
      from joined
    )
    select u.id, ${sql.unsafe(userFields("u"))}, run.first_seq, run.last_seq, run.count
    from run join users u on u.id = run.user_id
    where run.place <= ${MAX_NAMED}
    order by run.seq`;
}
