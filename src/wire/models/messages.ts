import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_THREAD_AUTHORS } from "../limits.ts";
import { Id, Nullable, Seq, Timestamp } from "./basics.ts";
import { User } from "./people.ts";

/** Messages, what they carry, and pages of them. */

export const Image = t.Object({
  id: Id,
  url: t.String(),
  width: t.Integer(),
  height: t.Integer(),
  mime: t.String(),
  size_bytes: t.Integer(),
  blurhash: Nullable(t.String()),
  alt: Nullable(t.String({ description: "What it shows, in the words of its author" })),
});
export const File = t.Object({
  id: Id,
  url: t.String(),
  name: t.String(),
  mime: t.String(),
  size_bytes: t.Integer(),
});
export const LinkPreview = t.Object({
  url: t.String(),
  title: Nullable(t.String()),
  description: Nullable(t.String()),
  image_url: Nullable(t.String()),
  site_name: Nullable(t.String()),
  is_image: t.Boolean(),
});
export const Reaction = t.Object({
  emoji: t.String(),
  count: t.Integer(),
  user_ids: t.Array(Id),
});

/** Whom `@room` and `@here` mention: all members, or those who were online. */
export const Broadcast = t.Union([t.Literal("room"), t.Literal("here")]);

/** Who pinned a message, and when. */
export const Pinned = t.Object({ by: User, at: Timestamp });

/** A thread, as its root shows it. */
export const Thread = t.Object({
  title: Nullable(t.String()),
  reply_count: t.Integer({ minimum: 1 }),
  last_reply_seq: Seq,
  last_reply_at: Timestamp,
  author_ids: t.Array(Id, {
    maxItems: MAX_THREAD_AUTHORS,
    description: "Who replied last, the newest first; webhooks are left out",
  }),
  is_resolved: t.Boolean({ description: "Someone marked it done, and nobody has replied since" }),
});

/** The root of a thread, as its replies show it. */
export const ReplyRoot = t.Object({
  id: Id,
  author: t.Object({
    id: Id,
    name: t.String({ description: "The display name, or else the username" }),
  }),
  title: Nullable(t.String()),
  excerpt: Nullable(t.String({ description: "The plain text of at most 80 characters" })),
});

/** A message of the same room that another quotes, as it is now. */
export const Quote = t.Union([
  t.Object({
    id: Id,
    author: User,
    excerpt: Nullable(t.String({ description: "The plain text of at most 300 characters" })),
    has_image: t.Boolean(),
    has_file: t.Boolean(),
    created_at: Timestamp,
  }),
  t.Object({ id: Id, is_gone: t.Literal(true) }),
]);
export const Message = t.Object({
  id: Id,
  room_id: Id,
  seq: Seq,
  author: User,
  content: Nullable(t.String()),
  image: Nullable(Image),
  file: Nullable(File),
  reactions: t.Array(Reaction),
  preview_url: Nullable(t.String()),
  preview: Nullable(LinkPreview),
  mentions: t.Array(t.Object({ user_id: Id, username: t.String() })),
  broadcast: Nullable({
    ...Broadcast,
    description: "It mentions all members (`room`), or those who were online (`here`)",
  }),
  room_references: t.Array(t.Object({ room_id: Id, name: t.String() })),
  group_id: Nullable({ ...Id, description: "Of messages that were sent in one go" }),
  pinned: Nullable(Pinned),
  thread_id: Nullable({ ...Id, description: "Of a reply: the root of its thread" }),
  thread: Nullable({ ...Thread, description: "Of a message with replies" }),
  root: Nullable({ ...ReplyRoot, description: "Of a reply" }),
  quote: Nullable(Quote),
  created_at: Timestamp,
  edited_at: Nullable(Timestamp),
  deleted_at: Nullable(
    t.String({
      ...Timestamp,
      description: "Of a message that was deleted, and stays for its replies without its content",
    }),
  ),
  via: Nullable(
    t.Object(
      {
        kind: t.Literal("incoming_webhook"),
        name: t.String(),
        icon_emoji: Nullable(t.String()),
      },
      {
        description:
          "The webhook that posted it. `author` is its bot, or else stands for the webhook: its name, and the id of no account",
      },
    ),
  ),
  client_id: Nullable(t.String({ description: "null for everyone but the author" })),
});

/** A message that a search has found. */
export const SearchResult = t.Object({
  message: Message,
  room: t.Object({
    id: Id,
    kind: t.Union([t.Literal("room"), t.Literal("direct")]),
    name: Nullable(t.String()),
  }),
  matches: t.Array(
    // A tuple, which OpenAPI's older readers do not know.
    t.Unsafe<[start: number, end: number]>({
      ...t.Array(t.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
    }),
    { description: "Where the words are in `content`: start and end in UTF-16 units" },
  ),
});
export const SearchResults = t.Object({
  items: t.Array(SearchResult),
  next: Nullable(t.String()),
  searched_until: Nullable(
    t.String({ description: "How far the search has come; null when it has looked at everything" }),
  ),
  is_complete: t.Boolean({ description: "False while older messages are still being indexed" }),
  unknown: t.Array(t.String(), {
    description: "Filters that name no room or person that the caller can see",
  }),
});
export const History = t.Object({
  items: t.Array(Message),
  has_more_before: t.Boolean(),
  has_more_after: t.Boolean(),
  seq: t.Integer({ minimum: 0, description: "The events of the room's log that this includes" }),
});

export type Image = Static<typeof Image>;
export type File = Static<typeof File>;
export type LinkPreview = Static<typeof LinkPreview>;
export type Reaction = Static<typeof Reaction>;
export type Broadcast = Static<typeof Broadcast>;
export type Thread = Static<typeof Thread>;
export type ReplyRoot = Static<typeof ReplyRoot>;
export type Quote = Static<typeof Quote>;
export type Message = Static<typeof Message>;
export type SearchResult = Static<typeof SearchResult>;
export type SearchResults = Static<typeof SearchResults>;
export type History = Static<typeof History>;
