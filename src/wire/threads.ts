import { type Static, Type as t } from "@sinclair/typebox";
import { DEFAULT_PAGE, MAX_PAGE, MAX_THREAD_TITLE_LENGTH } from "./limits.ts";
import { Id, Message, Nullable, Room, Seq, oneOf } from "./models.ts";
import { PageQuery } from "./queries.ts";
import { nameOf } from "./requests.ts";

const RepliedSeq = t.Integer({
  minimum: 0,
  description:
    "The caller's last reply that the mark has seen: a later one moves it up to there. 0 without one",
});

/** Whether the caller follows a thread, and up to where they have read it. */
export const ThreadFollow = t.Object({
  is_following: t.Boolean(),
  read_seq: Nullable(
    t.Integer({ minimum: 0, description: "Replies after it are unread; null if never followed" }),
  ),
  replied_seq: RepliedSeq,
});

/** A read mark after it was moved, forward or back. */
export const ThreadMark = t.Object({ read_seq: Seq, replied_seq: RepliedSeq });

/** A page of a thread, the oldest reply first. */
export const ThreadPage = t.Object({
  root: Message,
  items: t.Array(Message),
  has_more_before: t.Boolean(),
  has_more_after: t.Boolean(),
  follow: ThreadFollow,
  seq: t.Integer({ minimum: 0, description: "The events of the room's log that this includes" }),
});

export const ThreadItem = t.Object({
  root: Message,
  room: t.Pick(Room, ["id", "name"]),
  follow: ThreadFollow,
  unread_count: t.Integer({
    description: "Replies of others after `read_seq`, at most 100; 0 where it is done",
  }),
  last_reply: t.Optional(
    Nullable({ ...Message, description: "The newest reply; only in lists that request it" }),
  ),
});

export const ThreadReadMark = t.Pick(ThreadFollow, ["read_seq"]);

/** Absent fields stay unchanged. */
export const UpdateThread = t.Partial(
  t.Object({
    title: Nullable(nameOf(MAX_THREAD_TITLE_LENGTH)),
    is_resolved: t.Boolean(),
  }),
);
export const FollowThread = t.Object({ is_following: t.Boolean() });
export const MarkThreadRead = t.Object({
  seq: t.Optional(Nullable({ ...Seq, description: "Up to the last reply without it" })),
});
/** The first reply to become unread. */
export const MarkThreadUnread = t.Object({ message_id: Id });
export const MarkThreadsRead = t.Object({ room_id: t.Optional(Nullable(Id)) });

export const ThreadQuery = t.Object({
  before: t.Optional(Id),
  after: t.Optional(Id),
  around: t.Optional(Id),
  around_read_mark: t.Optional(
    t.Literal("true", { description: "The newest page instead, if it reaches back to the mark" }),
  ),
  limit: t.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE }),
});
const ThreadFilter = oneOf(["following", "unread", "room"]);
export const ThreadsQuery = t.Composite([
  PageQuery,
  t.Object({
    filter: t.Unsafe<Static<typeof ThreadFilter>>({
      ...ThreadFilter,
      default: "following",
      description:
        "Those that the caller follows, all of them or those with news; or all of a room",
    }),
    room_id: t.Optional({ ...Id, description: "Only this room; `room` needs it" }),
    last_reply: t.Optional(
      t.Literal("true", { description: "With the newest reply of each thread" }),
    ),
  }),
]);

export type ThreadFollow = Static<typeof ThreadFollow>;
export type ThreadMark = Static<typeof ThreadMark>;
export type ThreadPage = Static<typeof ThreadPage>;
export type ThreadItem = Static<typeof ThreadItem>;
export type ThreadReadMark = Static<typeof ThreadReadMark>;
export type UpdateThread = Static<typeof UpdateThread>;
export type ThreadQuery = Static<typeof ThreadQuery>;
export type ThreadsQuery = Static<typeof ThreadsQuery>;
