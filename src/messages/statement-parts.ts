import { insertJobsText } from "../jobs-queue/statements.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
import { clearDraft } from "./clear-draft-part.ts";
import { connectedMembersOf } from "./broadcasts.ts";
import { reply, replyMentions } from "./threads/reply-parts.ts";
import type { Part } from "./part.ts";

/** A bot's token, while it is valid; the session of a person is checked for every draft. */
const token: Part = {
  isNeeded: ({ token_id }) => token_id !== null,
  columns: [{ name: "token_id", type: "uuid", read: ({ token_id }) => token_id }],
  joins: `left join lateral (
        select id from api_tokens
        where id = i.token_id and user_id = i.author_id and revoked_at is null
          and (expires_at is null or expires_at > clock_timestamp()) limit 1
      ) token on true`,
  validates: "(i.token_id is null or token.id is not null and u.is_active)",
};

/** Messages of an incoming webhook, which may post whatever its author may do in the room. */
const via: Part = {
  isNeeded: ({ via_name }) => via_name !== null,
  columns: [
    { name: "via_name", type: "text", read: ({ via_name }) => via_name },
    { name: "via_icon_emoji", type: "text", read: ({ via_icon_emoji }) => via_icon_emoji },
  ],
  allows: "i.via_name is not null",
  stores: ["via_name", "via_icon_emoji"],
};

/**
 * Uploads of one table: of the author, for that room, and not yet used. Locked, so that none is deleted
 * as unused before its message exists. The first draft of a batch that names an upload gets it.
 */
function claimUploads(name: "image" | "file", table: string): Part {
  const id = `${name}_id` as const;
  return {
    isNeeded: (draft) => draft[id] !== null,
    columns: [{ name: id, type: "uuid", read: (draft) => draft[id] }],
    locks: `${name} as materialized (
      select m.id, m.room_id, m.uploader_id from (
        select distinct ${id}, room_id, author_id from input
        where ${id} is not null and (room_id in (select id from room)) is true
      ) p
      join ${table} m on m.id = p.${id} and m.room_id = p.room_id and m.uploader_id = p.author_id
      left join lateral (select id from messages where ${id} = m.id limit 1) used on true
      where used.id is null
      for key share of m
    )`,
    accepts: `(${id} is null or (${id}, room_id, author_id) in (select * from ${name})
      and row_number() over (
        partition by ${id}, room_id, author_id, is_valid, repeated_id is null order by n
      ) = 1)`,
    stores: [id],
    embeds: `${id} is not null`,
  };
}

/** What goes with an upload: the words for an image, and the messages that it was sent with. */
const sending: Part = {
  isNeeded: ({ image_alt, group_id }) => image_alt !== null || group_id !== null,
  columns: [
    { name: "image_alt", type: "text", read: ({ image_alt }) => image_alt },
    { name: "group_id", type: "uuid", read: ({ group_id }) => group_id },
  ],
  stores: ["image_alt", "group_id"],
  embeds: "group_id is not null",
};

/** The first URL of the text, whose preview a job looks up. */
const preview: Part = {
  isNeeded: ({ preview_url }) => preview_url !== null,
  columns: [
    { name: "preview_url", type: "text", read: ({ preview_url }) => preview_url },
    { name: "job_id", type: "uuid", read: (draft) => draft.preview_url && Bun.randomUUIDv7() },
  ],
  writes: `queued as (${insertJobsText(
    "link_preview",
    `select job_id, jsonb_build_object('url', preview_url, 'messageId', id) from numbered
        where seq is not null and preview_url is not null`,
  )})`,
  stores: ["preview_url"],
  embeds: "preview_url is not null",
};

/** Names hold no blank: one text per draft keeps them with it, without a second list to join. */
const joinNames = (names: string[]) => (names.length === 0 ? null : names.join(" "));

/** Members of the room that the text names. */
const mentions: Part = {
  isNeeded: ({ usernames }) => usernames.length > 0,
  columns: [{ name: "usernames", type: "text", read: ({ usernames }) => joinNames(usernames) }],
  writes: `mention as materialized (
      select p.id as message_id, p.room_id, p.seq, p.created_at, m.user_id from numbered p
      cross join lateral unnest(string_to_array(p.usernames, ' ')) as t(username)
      cross join lateral (select id from users where username = t.username limit 1) u
      cross join lateral (
        select user_id from memberships where room_id = p.room_id and user_id = u.id limit 1
      ) m
      where p.seq is not null
    ), mentioned as (
      insert into message_mentions (message_id, user_id, room_id, seq, created_at)
      select message_id, user_id, room_id, seq, created_at from mention
    )`,
  embeds: "id in (select message_id from mention)",
};

/** Rooms of the author that the text names. */
const references: Part = {
  isNeeded: ({ room_names }) => room_names.length > 0,
  columns: [{ name: "room_names", type: "text", read: ({ room_names }) => joinNames(room_names) }],
  writes: `reference as materialized (
      select p.id as message_id, r.id as room_id from numbered p
      cross join lateral unnest(string_to_array(p.room_names, ' ')) as t(name)
      cross join lateral (select id from rooms where name = t.name limit 1) r
      cross join lateral (
        select from memberships where room_id = r.id and user_id = p.author_id limit 1
      ) m
      where p.seq is not null
    ), referenced as (
      insert into message_room_references (message_id, room_id)
      select message_id, room_id from reference
    )`,
  embeds: "id in (select message_id from reference)",
};

const MAY_BROADCAST = `(broadcast is null or is_allowed
  or kind = 'room' and (member_count <= ${MAX_BROADCAST_MEMBERS} or role <> 'member'))`;

/** `@room` and `@here`, which in a large room its owner and admins may use. */
const broadcast: Part = {
  isNeeded: (draft) => draft.broadcast !== null,
  columns: [{ name: "broadcast", type: "text", read: (draft) => draft.broadcast }],
  accepts: MAY_BROADCAST,
  reports: `'may_broadcast', ${MAY_BROADCAST}`,
  writes: `broadcasting as (
      insert into message_broadcasts (message_id, room_id, seq, created_at, kind, user_ids)
      select id, room_id, seq, created_at, broadcast,
        case when broadcast = 'here' then ${connectedMembersOf("numbered.room_id")} end
      from numbered where seq is not null and broadcast is not null
    )`,
  embeds: "broadcast is not null",
};

/** A message of the same room that it quotes. One that goes at the same moment is shown as gone. */
const quote: Part = {
  isNeeded: ({ quote_id }) => quote_id !== null,
  columns: [{ name: "quote_id", type: "uuid", read: ({ quote_id }) => quote_id }],
  joins: `left join lateral (
        -- Limit: found by its id, and not among all of the room, however few these were when this was planned.
        select id from (select * from messages where id = i.quote_id limit 1) m
        where room_id = room.id and deleted_at is null
      ) quoted on true`,
  joined: "(i.quote_id is null or quoted.id is not null) as is_quote_known",
  accepts: "is_quote_known",
  reports: "'is_quote_known', is_quote_known",
  stores: ["quote_id"],
  embeds: "quote_id is not null",
};

/** Parts that drafts of bots and of the client often need in addition to another part. */
export const BESIDE_ANOTHER: Part[] = [token, clearDraft];

export const PARTS: Part[] = [
  token,
  via,
  claimUploads("image", "message_images"),
  claimUploads("file", "message_files"),
  sending,
  preview,
  mentions,
  references,
  broadcast,
  quote,
  reply,
  replyMentions,
  clearDraft,
];
