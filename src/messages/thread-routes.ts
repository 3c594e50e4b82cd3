import type { Database } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { Type as t } from "@sinclair/typebox";
import { Page, Thread } from "../wire/models.ts";
import {
  FollowThread,
  MarkThreadRead,
  MarkThreadsRead,
  MarkThreadUnread,
  ThreadFollow,
  ThreadItem,
  ThreadPage,
  ThreadQuery,
  ThreadReadMark,
  ThreadsQuery,
  UpdateThread,
} from "../wire/threads.ts";
import {
  followThread,
  markThreadRead,
  markThreadsRead,
  markThreadUnread,
  updateThread,
} from "./thread-changes.ts";
import { toCallersThread } from "./read.ts";
import { listThreads, readThread } from "./threads.ts";

export const threadRoutes = (database: Database) => {
  const { sql } = database;
  return [
    route("GET /api/messages/:id/thread", {
      access: "read:messages",
      summary: "Get a page of the thread that a message is in, oldest reply first",
      description:
        "The newest page; or the page before, after or around a reply. A message without replies has an empty thread. Posting a message with its `thread_id` replies to it.",
      query: ThreadQuery,
      responses: { 200: ThreadPage },
      errors: ["message_not_found", "not_a_member"],
      handler: ({ actor, params, query }) => readThread(sql, actor.id, params.id, query),
    }),
    route("PATCH /api/messages/:id/thread", {
      access: "write:messages",
      summary: "Name a thread, or mark it done or open",
      description:
        "Its title is for the author of the root, and the room's owner and admins. The next reply opens a thread that is done.",
      body: UpdateThread,
      responses: { 200: Thread },
      errors: [
        "message_not_found",
        "not_a_member",
        "no_thread",
        "message_deleted",
        "role_required",
        "room_archived",
        "conversation_closed",
      ],
      handler: async ({ actor, params, body }) => {
        const thread = await updateThread(database, actor.id, params.id, body);
        // A title in the request was written by the caller, who may therefore see it.
        return body.title === undefined ? toCallersThread(actor, thread) : thread;
      },
    }),
    route("PUT /api/messages/:id/thread/follow", {
      access: "read:messages",
      summary: "Follow a thread, or unfollow it",
      description:
        "People follow a thread by writing in it, as the author of its root, and by being mentioned in it. Unfollowing lasts until then.",
      body: FollowThread,
      responses: { 200: ThreadFollow },
      errors: ["message_not_found", "not_a_member", "no_thread"],
      handler: ({ actor, params, body }) =>
        followThread(database, actor.id, params.id, body.is_following),
    }),
    route("POST /api/messages/:id/thread/read", {
      access: "read:messages",
      summary: "Mark a thread read, up to a reply or up to now; the mark only moves forward",
      body: t.Optional(MarkThreadRead),
      responses: { 200: ThreadReadMark },
      errors: ["message_not_found", "not_a_member"],
      handler: ({ actor, params, body }) =>
        markThreadRead(sql, actor.id, params.id, body?.seq ?? null),
    }),
    route("POST /api/messages/:id/thread/unread", {
      access: "read:messages",
      summary: "Mark a thread unread from a reply on; the mark only moves back",
      body: MarkThreadUnread,
      responses: { 200: ThreadReadMark },
      errors: ["message_not_found", "not_a_member"],
      handler: ({ actor, params, body }) =>
        markThreadUnread(sql, actor.id, params.id, body.message_id),
    }),
    route("GET /api/threads", {
      access: "read:messages",
      summary: "List the caller's threads, or a room's, those with the newest reply first",
      query: ThreadsQuery,
      responses: { 200: Page(ThreadItem) },
      errors: ["room_not_found", "not_a_member"],
      handler: ({ actor, query }) => listThreads(sql, actor.id, query),
    }),
    route("POST /api/threads/read", {
      access: "read:messages",
      summary: "Mark all threads that the caller follows read, of one room or of all",
      body: t.Optional(MarkThreadsRead),
      responses: { 204: null },
      errors: ["room_not_found", "not_a_member"],
      handler: ({ actor, body }) => markThreadsRead(sql, actor.id, body?.room_id ?? null),
    }),
  ];
};
