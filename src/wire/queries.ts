import { type Static, Type as t } from "@sinclair/typebox";
import { InviteStatus } from "./admin.ts";
import {
  AVATAR_SIDES,
  DEFAULT_PAGE,
  MAX_CHANGES,
  MAX_MEMBERS_AT_ONCE,
  MAX_MEMBERS_PER_QUERY,
  MAX_PAGE,
  MAX_ROOMS_AT_ONCE,
} from "./limits.ts";
import { UUID_PATTERN } from "./patterns.ts";
import { Id, Seq, oneOf } from "./models.ts";
import { Time } from "./requests.ts";
import { DEFAULT_RESULTS, HAS, MAX_RESULTS } from "./search.ts";

const UUID = UUID_PATTERN.slice(1, -1);

const limit = (maximum: number) => t.Integer({ minimum: 1, maximum, default: DEFAULT_PAGE });
export const PageQuery = t.Object({
  cursor: t.Optional(t.String({ maxLength: 500 })),
  limit: limit(MAX_PAGE),
});
/** Filters the caller's saved messages: open, due or done. */
export const SavedQuery = t.Composite([
  PageQuery,
  t.Object({
    filter: oneOf(["open", "due", "done"], { default: "open" }),
  }),
]);
export type SavedQuery = Static<typeof SavedQuery>;
export const DraftsQuery = t.Object({
  after: t.Optional(
    t.String({ ...Time, description: "Also returns drafts that were cleared after this time" }),
  ),
});
export type DraftsQuery = Static<typeof DraftsQuery>;
export const SearchQuery = t.Composite([
  PageQuery,
  t.Object({ query: t.Optional(t.String({ maxLength: 100 })) }),
]);
export const BrowseQuery = t.Composite([
  SearchQuery,
  t.Object({
    sort: t.Optional(
      oneOf(["name", "members", "activity"], {
        description: "The most members, or the newest message first; by name without it",
      }),
    ),
    joined: t.Optional(
      oneOf(["true", "false"], {
        description: "Only rooms that the caller is in, or only the others",
      }),
    ),
  }),
]);
export type BrowseQuery = Static<typeof BrowseQuery>;
const createAllFlag = (noun: string, limit: number) =>
  t.Optional(
    t.Literal("true", {
      description: `Up to ${limit.toLocaleString("en")} ${noun} in one response, whatever the limit is`,
    }),
  );
export const RoomsQuery = t.Composite([
  PageQuery,
  t.Object({ all: createAllFlag("rooms", MAX_ROOMS_AT_ONCE) }),
]);
/** `query` is a prefix of an email address. */
export const InviteQuery = t.Composite([
  SearchQuery,
  t.Object({ status: t.Optional(InviteStatus) }),
]);
/** `query` is a substring of a name or an email address. */
export const AdminUserQuery = t.Composite([
  SearchQuery,
  t.Object({
    status: t.Optional(oneOf(["active", "deactivated"])),
    kind: t.Optional(oneOf(["person", "bot"])),
  }),
]);
export const AdminRoomQuery = t.Composite([
  SearchQuery,
  t.Object({ status: t.Optional(oneOf(["open", "archived"])) }),
]);
export const JobQuery = t.Composite([
  PageQuery,
  t.Object({ state: t.Literal("failed", { default: "failed" }) }),
]);
export const AuditFilter = t.Object({
  actor_id: t.Optional(Id),
  action: t.Optional(
    t.String({ maxLength: 60, description: "An action, or its first part with a dot: user." }),
  ),
  from: t.Optional(Time),
  to: t.Optional(Time),
});
export const AuditQuery = t.Composite([PageQuery, AuditFilter]);
export const HistoryQuery = t.Object({
  before: t.Optional(Id),
  after: t.Optional(Id),
  around: t.Optional(Id),
  at: t.Optional(
    t.String({ ...Time, description: "Around the first message at or after a time (RFC 3339)" }),
  ),
  top: t.Optional(t.Literal("true", { description: "Without replies" })),
  joins: t.Optional(t.Literal("true", { description: "With who joined between the messages" })),
  unread: t.Optional(t.Literal("true", { description: "With how many messages are unread" })),
  limit: limit(MAX_PAGE),
});
export const SearchMessagesQuery = t.Object({
  q: t.Optional(
    t.String({
      description: `Words, phrases in quotes, and filters such as from:ada, in:general, has:file, mentions:me, before:2026-03-01, is:bot; a minus excludes. Days are those of UTC`,
    }),
  ),
  room_id: t.Optional(Id),
  author_id: t.Optional(Id),
  has: t.Optional(
    t.Array(oneOf(HAS), {
      maxItems: HAS.length,
      description: "Repeatable: all of them",
    }),
  ),
  before: t.Optional(t.String({ ...Time, description: "Messages before this time (RFC 3339)" })),
  after: t.Optional(
    t.String({ ...Time, description: "Messages at or after this time (RFC 3339)" }),
  ),
  thread_id: t.Optional(Id),
  sort: oneOf(["newest", "oldest", "relevance"], {
    default: "newest",
    description:
      "`relevance` ranks the newest 500 messages that match, and returns the best of them as one page, for which there is no cursor",
  }),
  cursor: t.Optional(t.String({ maxLength: 500 })),
  limit: t.Integer({ minimum: 1, maximum: MAX_RESULTS, default: DEFAULT_RESULTS }),
});
export const ChangesQuery = t.Object({
  after: Seq,
  limit: limit(MAX_CHANGES),
});
const ID_LIST = `^${UUID}(,${UUID}){0,${MAX_MEMBERS_PER_QUERY - 1}}$`;
export const DirectQuery = t.Composite([
  PageQuery,
  t.Object({
    all: t.Optional(t.Literal("true", { description: "Includes hidden ones" })),
    last_message: t.Optional(
      t.Literal("true", { description: "With the beginning of each last message" }),
    ),
    user_ids: t.Optional(
      t.String({
        pattern: ID_LIST,
        expected: `up to ${MAX_MEMBERS_PER_QUERY} UUIDs with commas between`,
        description: "Only the conversation of the caller with exactly these people",
      }),
    ),
  }),
]);
export const MembersQuery = t.Composite([
  PageQuery,
  t.Object({
    all: createAllFlag("members", MAX_MEMBERS_AT_ONCE),
    user_ids: t.Optional(
      t.String({
        pattern: ID_LIST,
        expected: `up to ${MAX_MEMBERS_PER_QUERY} UUIDs with commas between`,
        description: `Only these people: up to ${MAX_MEMBERS_PER_QUERY} ids with commas between. People who are not members are left out. There is one page.`,
      }),
    ),
  }),
]);
export const FileQuery = t.Object({
  view: t.Optional(
    t.Literal("true", {
      description:
        "A PDF as a document for the browser's viewer. Every other file is a download still",
    }),
  ),
});
export const ImageQuery = t.Object({ size: t.Optional(t.Literal("thumb")) });

export const IdempotencyHeaders = t.Object({
  "Idempotency-Key": t.Optional(
    t.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[!-~]+$",
      description:
        "A request that repeats the key and the body of one in the last 24 hours posts nothing new",
    }),
  ),
});

/** One of `AVATAR_SIDES`. */
export const AvatarQuery = t.Object({
  size: t.Integer({ default: AVATAR_SIDES[0] }),
});

export type InviteQuery = Static<typeof InviteQuery>;
export type AdminUserQuery = Static<typeof AdminUserQuery>;
export type AdminRoomQuery = Static<typeof AdminRoomQuery>;
export type AuditFilter = Static<typeof AuditFilter>;
export type AuditQuery = Static<typeof AuditQuery>;
export type MembersQuery = Static<typeof MembersQuery>;
export type DirectQuery = Static<typeof DirectQuery>;
export type PageQuery = Static<typeof PageQuery>;
export type RoomsQuery = Static<typeof RoomsQuery>;
export type SearchQuery = Static<typeof SearchQuery>;
export type ChangesQuery = Static<typeof ChangesQuery>;
export type SearchMessagesQuery = Static<typeof SearchMessagesQuery>;
export type HistoryQuery = Static<typeof HistoryQuery>;
