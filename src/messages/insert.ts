import { makeEndedCredentialRefusal } from "../authentication/credentials.ts";
import type { SqlClient } from "../database/connect.ts";
import { isUnavailable, isUniqueViolation } from "../database/errors.ts";
import { FEED_CHANNEL, HINTS_PER_PAYLOAD } from "../feed/channels.ts";
import { LOCKED } from "../platform/concurrency/batch.ts";
import { Refusal } from "../platform/refusal.ts";
import { refusalFor } from "../rooms/access.ts";
import { makeArchivedRefusal, makeBroadcastRefusal, makeClosedRefusal } from "../rooms/refusals.ts";
import type { Privacy, RoomKind } from "../wire/models.ts";
import { EMBEDDING_COLUMNS, type EmbedRow, replyEmbeds, type RootRow } from "./embeds.ts";
import type { NewMessage } from "./new-message.ts";
import {
  makeThreadsOff,
  makeUnknownQuote,
  makeUnknownThread,
  makeUnknownUpload,
  makeUnknownWebhook,
  makeUsedClientId,
} from "./refusals.ts";
import { BESIDE_ANOTHER, type Column, type Part, PARTS } from "./statement-parts.ts";
import { type MessageRow, readMessages } from "./read.ts";

/** A new message: written now, or found to have been written before. */
export type Written = {
  row: MessageRow;
  isNew: boolean;
  /** All that a reply shows which embeds nothing else, so that nothing is read for it. */
  embeds?: EmbedRow;
};

const MAX_ATTEMPTS = 5;

/**
 * Writes many messages with one statement: locks their rooms, checks the authors' memberships as
 * they are under that lock, takes the rooms' next numbers, writes messages and log, and notifies the
 * other instances. A message that is refused takes no number and harms no other.
 * Messages of rooms that another transaction has locked are `LOCKED`, unless it waits for them.
 * @param waits for rooms that another transaction has locked
 * @returns for each what was written, or the refusal
 */
export async function insertMessages(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
  waits: boolean,
): Promise<(Written | Error)[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOnce(sql, instance, messages, waits);
    } catch (error) {
      // A message with the same client_id was committed while this statement waited for its room:
      // the next attempt sees it, and answers with it.
      if (isUniqueViolation(error) && attempt < MAX_ATTEMPTS) continue;
      if (isUnavailable(error) || messages.length === 1) throw error;
      return writeHalves(sql, instance, messages, waits);
    }
  }
}

/**
 * Finds a message that the database refuses by halving, so that it does not take the others with it:
 * they are still written many at a time.
 */
async function writeHalves(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
  waits: boolean,
) {
  const middle = Math.ceil(messages.length / 2);
  const results: (Written | Error)[] = [];
  for (const half of [messages.slice(0, middle), messages.slice(middle)]) {
    const written = insertMessages(sql, instance, half, waits);
    results.push(...(await written.catch((error) => half.map(() => error as Error))));
  }
  return results;
}

/** A message that repeats the `client_id` of an earlier one of the batch gets that one's result. */
async function writeOnce(sql: SqlClient, instance: string, messages: NewMessage[], waits: boolean) {
  const unique: NewMessage[] = [];
  const places = new Map<string, number>();
  const placeOf = messages.map((message) => {
    const key = repeatKeyOf(message);
    const place = places.get(key) ?? unique.push(message) - 1;
    places.set(key, place);
    return place;
  });
  const write = (on: SqlClient) => runInsert(on, instance, unique);
  // A statement sees what was committed before it began. So the wait is in one of its own, and an
  // account or a session that ends meanwhile has ended for the next.
  const rows = waits
    ? await sql.begin(async (tx) => {
        await lockRooms(tx as unknown as SqlClient, unique);
        return write(tx as unknown as SqlClient);
      })
    : await write(sql);
  const repeated = rows.flatMap((row) => row.refused?.repeated_id ?? []);
  const earlier = new Map((await readMessages(sql, repeated)).map((row) => [row.id, row]));
  const roots = new Map((rows[0]?.threads ?? []).map((root) => [root.id, root]));
  const results = rows.map((row, i) => resultOf(unique[i] as NewMessage, row, earlier, roots));
  return messages.map((message, i) => {
    const place = placeOf[i] as number;
    const first = unique[place] as NewMessage;
    const result = results[place] as Written | Error;
    if (first.room_id !== message.room_id) return makeUsedClientId();
    return first === message || result instanceof Error ? result : { ...result, isNew: false };
  });
}

/** The author and `client_id`, as the unique index has them: the room does not matter. */
function repeatKeyOf({ id, author_id, client_id }: NewMessage): string {
  return client_id === null ? id : `${author_id} ${client_id}`;
}

function resultOf(
  message: NewMessage,
  row: WriteRow,
  earlier: Map<string, MessageRow>,
  roots: Map<string, RootRow>,
): Written | Error {
  const { refused } = row;
  if (!refused) {
    const { threads: _, embeds_more, thread_id = null, ...columns } = row;
    const written = { row: Object.assign(message, columns) as MessageRow, isNew: true };
    const root = thread_id !== null && embeds_more === false ? roots.get(thread_id) : undefined;
    return root ? { ...written, embeds: replyEmbeds(written.row, root) } : written;
  }
  const { kind, privacy, is_member, is_read_only, is_valid, repeated_id } = refused;
  if (refused.is_locked) return LOCKED;
  if (!is_valid) {
    return message.via_webhook_id === null
      ? makeEndedCredentialRefusal(message.token_id !== null)
      : makeUnknownWebhook();
  }
  const refusal = refusalFor(
    kind && privacy && { kind, privacy },
    is_member ? "member" : null,
    "member",
  );
  if (refusal) return refusal;
  const first = repeated_id === null ? undefined : earlier.get(repeated_id);
  if (first?.room_id === message.room_id) return { row: first, isNew: false };
  // A message in another room is not shown even to its author, who may have been removed from there.
  if (first) return makeUsedClientId();
  if (is_read_only) return kind === "direct" ? makeClosedRefusal() : makeArchivedRefusal("post");
  if (repeated_id !== null) return makeUsedClientId();
  if (!row.is_active) return new Refusal("unauthenticated", "Your account is deactivated.");
  if (refused.may_broadcast === false) return makeBroadcastRefusal(kind);
  if (refused.thread === "unknown") return makeUnknownThread();
  if (refused.thread === "off") return makeThreadsOff();
  if (refused.is_quote_known === false) return makeUnknownQuote();
  // Nothing else keeps a message from being written.
  return makeUnknownUpload();
}

/**
 * Hand-written SQL, because one statement locks, checks, numbers, inserts, logs and notifies for a
 * whole batch (`bench/accept.ts`); drizzle has no CTEs that write.
 *
 * It is planned once, without knowing how many messages come, so it never joins two lists of messages
 * by comparing each with each: all rows are looked up by their index, and numbers are counted in one
 * pass.
 */

/** What the database adds to a message. */
export type WriteRow = Omit<MessageRow, keyof NewMessage | "seq"> & {
  /** Whether it embeds more than the thread that it is a reply in; undefined where nothing replies. */
  embeds_more?: boolean;
  thread_id?: string | null;
  /** In the first row: the threads of all replies of the batch. */
  threads?: RootRow[] | null;
  /** Null if the message was not written. */
  seq: number | null;
  /** Why not; null if it was written. */
  refused: RefusedMessage | null;
};

export type RefusedMessage = {
  /** The session or token that it was posted with has not ended. */
  is_valid: boolean;
  is_member: boolean;
  /** An archived room, or a closed conversation. */
  is_read_only: boolean | null;
  /** Null if the room does not exist or could not be locked. */
  kind: RoomKind | null;
  privacy: Privacy | null;
  /** Another transaction has locked the room, and the statement did not wait. */
  is_locked: boolean;
  /** An earlier message with the same `client_id`. */
  repeated_id: string | null;
  /** Undefined where no message of the batch has `@room` or `@here`. */
  may_broadcast?: boolean;
  /**
   * Why the message is refused as a reply; null if it is not, undefined if no message of the batch is a
   * reply.
   */
  thread?: "unknown" | "off" | null;
  /** Undefined where no message of the batch quotes. */
  is_quote_known?: boolean;
};

/** Locks messages' rooms as the statement that writes them does, but waits for those that are locked. */
export async function lockRooms(sql: SqlClient, messages: NewMessage[]): Promise<void> {
  const roomIds = [...new Set(messages.map((message) => message.room_id))];
  await sql`
    select from rooms where id = any(${roomIds}::uuid[]) order by id for no key update`;
}

/**
 * Writes messages, with the parts of the statement that at least one of them needs.
 * @returns a row for each message, in their order
 */
export function runInsert(
  sql: SqlClient,
  instance: string,
  messages: NewMessage[],
): Promise<WriteRow[]> {
  const { text, columns } = buildStatement(messages);
  const roomIds = [...new Set(messages.map((message) => message.room_id))];
  const lists = columns.map(({ type, read }) => {
    const values = messages.map(read);
    return type === "uuid" ? toUuidArray(values) : values;
  });
  return sql.unsafe<WriteRow[]>(text, [instance, toUuidArray(roomIds), ...lists], {
    prepare: true,
  });
}

/** PostgreSQL's form of a list. The driver's own way escapes each value, which ids do not need. */
function toUuidArray(ids: (string | null)[]): string {
  return `{${ids.map((id) => id ?? "null").join()}}`;
}

type Statement = { text: string; columns: Column[] };

/** Texts by the parts that they have. Each is made once, so that nothing builds it for each batch. */
const statements = new Map<string, Statement>();

/**
 * Makes the statement that writes messages, or finds it made.
 *
 * Messages that need more than one part, not counting a bot's token and the clearing of a draft, get all of
 * them, so that a connection has few statements to keep prepared.
 */
function buildStatement(messages: NewMessage[]): Statement {
  const needed = PARTS.filter((part) => messages.some(part.isNeeded));
  const others = needed.filter((part) => !BESIDE_ANOTHER.includes(part));
  const parts = others.length > 1 ? PARTS : needed;
  const key = parts.map((part) => PARTS.indexOf(part)).join();
  const cached = statements.get(key);
  if (cached) return cached;
  const columns = [...COLUMNS, ...parts.flatMap((part) => part.columns)];
  const statement = { text: makeText(parts, columns), columns };
  statements.set(key, statement);
  return statement;
}

const COLUMNS: Column[] = [
  { name: "id", type: "uuid", read: ({ id }) => id },
  { name: "room_id", type: "uuid", read: ({ room_id }) => room_id },
  { name: "author_id", type: "uuid", read: ({ author_id }) => author_id },
  { name: "session_id", type: "uuid", read: ({ session_id }) => session_id },
  { name: "client_id", type: "uuid", read: ({ client_id }) => client_id },
  { name: "content", type: "text", read: ({ content }) => content },
];

/** The parameters before the lists: the instance, and the ids of the rooms. */
const FIRST_LIST = 3;

type TextName = Exclude<keyof Part, "isNeeded" | "columns">;

function makeText(parts: Part[], columns: Column[]): string {
  const all = (name: TextName) => parts.flatMap((part) => part[name] ?? []);
  const and = (conditions: string[]) => conditions.map((condition) => ` and ${condition}`).join("");
  const selected = (name: TextName) =>
    all(name)
      .map((column) => `, ${column}`)
      .join("");
  const ctes = (texts: string[]) => texts.map((text) => `, ${text}`).join("");
  const stored = ["id", "room_id", "seq", "author_id", "content", "client_id", "created_at"];
  const embeds = [
    ...all("stores")
      .filter((column) => EMBEDDING_COLUMNS.includes(column))
      .map((column) => `${column} is not null`),
    ...all("embeds"),
  ];
  const shows = all("shows");
  const written = [...stored, ...all("stores"), "has_embeds"].join(", ");
  return `
    with input as materialized (
      select * from unnest(
        ${columns.map(({ type }, i) => `$${i + FIRST_LIST}::${type}[]`).join(", ")}
      ) with ordinality as i(${columns.map(({ name }) => name).join(", ")}, n)
    ), room as materialized (
      -- In the order of ids, so that two instances never wait for each other.
      select id, kind, privacy, is_archived or is_closed as is_read_only, last_seq, member_count${selected("roomColumns")}
      from rooms
      where id = any($2::uuid[])
      order by id for no key update skip locked
    )${ctes(all("locks"))}, checked as materialized (
      select i.*, room.kind, room.privacy, room.is_read_only, room.last_seq, room.member_count,
        repeated.id as repeated_id, member.role, member.role is not null as is_member,
        ${all("allows").join(" or ") || "false"} as is_allowed${selected("joined")},
        u.username, u.display_name, u.avatar_version, u.is_bot, coalesce(u.is_active, false) as is_active,
        (i.session_id is null or session.id is not null and u.is_active)
          ${and(all("validates"))} as is_valid
      from input i
      left join room on room.id = i.room_id
      -- Locked, because this statement's snapshot may be older than the lock of the room: a
      -- membership that was removed meanwhile is then found gone. Only once its room is locked.
      left join lateral (
        select role from memberships
        where room_id = room.id and user_id = i.author_id limit 1 for key share
      ) member on true
      left join lateral (select * from users where id = i.author_id limit 1) u on true
      left join lateral (
        select id from sessions
        where id = i.session_id and user_id = i.author_id and expires_at > clock_timestamp()
          and not is_restricted limit 1
      ) session on true
      left join lateral (
        select id from messages
        where author_id = i.author_id and client_id = i.client_id limit 1
      ) repeated on true
      ${all("joins").join("\n")}
    ), numbered as materialized (
      select *, clock_timestamp()::timestamptz(3) as created_at, case when is_accepted then last_seq +
        count(*) filter (where is_accepted) over (partition by room_id order by n) end as seq
      from (
        select *, is_valid and (is_member and is_active or is_allowed)
          and not is_read_only and repeated_id is null${and(all("accepts"))} as is_accepted
        from checked offset 0
      ) c
    )${ctes(all("writes"))}, embedding as ${embeds.length > 0 ? "" : "not"} materialized (
      select *, seq is not null and (${[...embeds, ...shows].join(" or ") || "false"}) as has_embeds${
        shows.length > 0 ? `, ${embeds.join(" or ") || "false"} as embeds_more` : ""
      } from numbered
    ), inserted as (
      insert into messages (${written}) select ${written} from embedding where seq is not null
    ), logged as (
      -- With the message's own time: a second reading of the clock would differ from it.
      insert into room_log (room_id, seq, type, message_id, created_at)
      select room_id, seq, 'message', id, created_at from numbered where seq is not null
    ), last as materialized (
      select room_id, max(seq) as seq, max(created_at) as at,
        (row_number() over ()) / ${HINTS_PER_PAYLOAD} as part
      from numbered where seq is not null group by room_id
    ), updated as (
      update rooms set last_seq = last.seq, last_message_at = last.at
      from last where rooms.id = any($2::uuid[]) and rooms.id = last.room_id
    ), notified as (
      select pg_notify('${FEED_CHANNEL}', $1::text || ' ' ||
        string_agg(room_id || ':' || seq, ' ')) from last group by part
    )
    select seq, created_at, has_embeds, username, display_name, avatar_version, is_bot, is_active,
      ${all("returns")
        .map((column) => `${column}, `)
        .join("")}case when seq is null then json_build_object(
        'is_valid', is_valid, 'is_member', is_member or is_allowed,
        'is_read_only', is_read_only, 'kind', kind, 'privacy', privacy, 'repeated_id', repeated_id,
        'is_locked', privacy is null and exists (select from rooms where id = embedding.room_id)
        ${all("reports")
          .map((pair) => `, ${pair}`)
          .join("")}
      ) end as refused
    from embedding where ${all("runs")
      .map((name) => `(select count(*) from ${name}) >= 0 and `)
      .join("")}(select count(*) from notified) >= 0 order by n`;
}
