/**
 * The text of the statement that writes messages. It is planned once, without knowing how many drafts
 * come, so it never joins two lists of drafts by comparing each with each: all rows are looked up by their
 * index, and numbers are counted in one pass.
 */
import {
  FEED_CHANNEL,
  HINTS_PER_PAYLOAD,
  MAX_POST_BYTES,
  POST_BYTES_PER_PAYLOAD,
  POSTS_CHANNEL,
} from "../feed/channels.ts";
import type { Draft } from "./draft.ts";
import type { Column, Part } from "./part.ts";
import { BESIDE_ANOTHER, PARTS } from "./statement-parts.ts";
import { continuations } from "./threads/continuation-part.ts";
import { reply, replyMentions } from "./threads/reply-parts.ts";

export type StatementOptions = {
  /** Other instances are notified of short plain messages as a whole, not by their numbers alone. */
  shares: boolean;
  /** All replies go on in threads that their authors are known to follow: one of each, or perhaps more. */
  continues?: "once" | "often";
};

type Statement = { text: string; columns: Column[] };

const { once, often } = continuations;
const PARTS_BUT_REPLIES = PARTS.filter((part) => part !== reply && part !== replyMentions);
const PARTS_TO_CONTINUE = {
  once: [...PARTS_BUT_REPLIES, once],
  often: [...PARTS_BUT_REPLIES, often],
};
const ALL_PARTS = [...PARTS, once, often];

/** Texts by the parts that they have. Each is made once, so that nothing builds it for each batch. */
const statements = new Map<string, Statement>();

/**
 * Makes the statement that writes drafts, or finds it made.
 *
 * Drafts that need more than one part, not counting a bot's token and the clearing of a draft, get all of
 * them, so that a connection has few statements to keep prepared.
 */
export function buildStatement(drafts: Draft[], options: StatementOptions): Statement {
  const all = options.continues ? PARTS_TO_CONTINUE[options.continues] : PARTS;
  const needed = all.filter((part) => drafts.some(part.isNeeded));
  const others = needed.filter((part) => !BESIDE_ANOTHER.includes(part));
  const parts = others.length > 1 ? all : needed;
  const key = `${options.shares} ${parts.map((part) => ALL_PARTS.indexOf(part)).join()}`;
  const made = statements.get(key);
  if (made) return made;
  const columns = [...COLUMNS, ...parts.flatMap((part) => part.columns)];
  const statement = { text: makeText(parts, columns, options), columns };
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

/** In the form that `messages/events.ts` reads. What a webhook posts is read from the log. */
const SHARE = `, posted as (
      select pg_notify('${POSTS_CHANNEL}', $1::text || ' [' || string_agg(post, ',' order by n) || ']')
      from (
        select n, post, sum(octet_length(post)) over (order by n) / ${POST_BYTES_PER_PAYLOAD} as part
        from (
          select n, json_build_object('id', id, 'room_id', room_id, 'seq', seq, 'content', content,
            'created_at', created_at, 'author_id', author_id, 'username', username,
            'display_name', display_name, 'avatar_version', avatar_version, 'is_bot', is_bot,
            'is_active', is_active)::text as post
          from embedding where seq is not null and not has_embeds and not is_allowed
        ) p
        where octet_length(post) <= ${MAX_POST_BYTES}
      ) q group by part
    )`;

function makeText(parts: Part[], columns: Column[], { shares }: StatementOptions): string {
  const all = (name: TextName) => parts.flatMap((part) => part[name] ?? []);
  const and = (conditions: string[]) => conditions.map((one) => ` and ${one}`).join("");
  const selected = (name: TextName) =>
    all(name)
      .map((one) => `, ${one}`)
      .join("");
  const ctes = (texts: string[]) => texts.map((one) => `, ${one}`).join("");
  const stored = ["id", "room_id", "seq", "author_id", "content", "client_id", "created_at"];
  const embeds = all("embeds");
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
    )${shares ? SHARE : ""}, notified as (
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
    from embedding where ${shares ? "(select count(*) from posted) >= 0 and" : ""}
      ${all("runs")
        .map((name) => `(select count(*) from ${name}) >= 0 and `)
        .join("")}(select count(*) from notified) >= 0 order by n`;
}
