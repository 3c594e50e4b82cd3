import { expect } from "bun:test";
import { countActivity } from "../../../public/app/state/personal/personal.ts";
import {
  countUnreadReplies,
  isUnread,
  withExcerpt,
} from "../../../public/app/state/model/follows.ts";
import type { State } from "../../../public/app/state/model/model.ts";
import { appendEvent } from "../../../src/feed/append.ts";
import { sayAndDelete } from "../../support/gone-message.ts";
import type { Cases, EventType, Stage } from "./stage.ts";

/** Undefined for a thread that is not known to be followed. */
function isThreadUnread({ threads }: State, id: string): boolean | undefined {
  const follow = threads?.[id];
  return follow && isUnread(follow);
}

/** What is said in the room that is looked at. */
export const MESSAGES = {
  message: {
    "of another": async (stage) => {
      await stage.ada.say(stage.roomId, "hello");
      await stage.until((state) => stage.texts(state)?.[0] === "hello");
      expect(stage.marks()).toMatchObject({ unread: true });
      await stage.expectFresh();
    },
    "with mentions and references, of oneself too": async (stage) => {
      await stage.ada.say(stage.roomId, `@bob and @ada, see #${stage.roomName}`);
      await stage.bob.say(stage.roomId, "@bob is me");
      await stage.ada.say(stage.roomId, "no one");
      await stage.until((state) => stage.texts(state)?.length === 3);
      await stage.until((state) => stage.marks(state).mention_count === 1);
      await stage.expectFresh();
    },
    "that mentions everyone": async (stage) => {
      await stage.ada.say(stage.roomId, "@room");
      await stage.bob.say(stage.roomId, "@room, of oneself");
      await stage.until((state) => stage.texts(state)?.length === 2);
      await stage.until((state) => stage.marks(state).mention_count === 1);
      await stage.expectFresh();
      const late = await stage.ada.say(stage.roomId, "plain");
      await stage.ada.patch(`/api/messages/${late.id}`, { content: "@here" });
      // Whether it mentions me is known once the room has been asked for again.
      await stage.until((state) => countActivity(state).mentions === 2);
      await stage.expectFresh();
    },
    "of the user's own incoming webhook, which is not the user's message": async (stage) => {
      await stage.ada.patch(`/api/rooms/${stage.roomId}/members/${stage.bob.user.id}`, {
        role: "admin",
      });
      const path = `/api/rooms/${stage.roomId}/incoming-webhooks`;
      const { body } = await stage.bob.post(path, { name: "Builds" });
      const at = new URL(body.url).pathname;
      expect((await stage.ada.post(at, { text: "passed" })).status).toBe(200);
      await stage.until((state) => stage.texts(state)?.[0] === "passed");
      expect(stage.marks()).toMatchObject({ unread: true });
      await stage.expectFresh();
    },
  },
  thread: {
    "that is named and done, after replies": async (stage) => {
      const thread = (state: State) => state.views[stage.roomId]?.messages[0]?.thread;
      const root = await stage.ada.say(stage.roomId, "shall we?");
      await stage.ada.say(stage.roomId, "yes", { thread_id: root.id });
      await stage.bob.say(stage.roomId, "no", { thread_id: root.id });
      await stage.until((state) => thread(state)?.reply_count === 2);
      await stage.expectFresh();
      await stage.ada.patch(`/api/messages/${root.id}/thread`, {
        title: "To be or not",
        is_resolved: true,
      });
      await stage.until((state) => thread(state)?.is_resolved === true);
      await stage.expectFresh();
    },
    "beside the room, with replies, edits and deletions": async (stage) => {
      const { ada, bob, roomId } = stage;
      const root = await ada.say(roomId, "a question of **ours**");
      await stage.openThread(root.id);
      const reply = (who: typeof ada, text: string, more = {}) =>
        who.say(roomId, text, { thread_id: root.id, ...more });
      const first = await reply(ada, "first");
      const second = await reply(bob, "second", { quote_id: first.id });
      await ada.say(roomId, "not in it");
      await reply(ada, "third", { quote_id: root.id });
      await stage.until((state) => stage.replies(state)?.length === 3);
      await stage.expectFresh();
      await ada.patch(`/api/messages/${first.id}`, { content: "the *first*" });
      await ada.patch(`/api/messages/${root.id}`, { content: "another question" });
      await bob.post(`/api/messages/${root.id}/reactions`, { emoji: "👍" });
      await stage.until((state) => stage.replies(state)?.[0] === "the *first*");
      await stage.expectFresh();
      await bob.delete(`/api/messages/${second.id}`);
      await ada.delete(`/api/messages/${first.id}`);
      await stage.until((state) => stage.replies(state)?.length === 1);
      await stage.expectFresh();
      await ada.delete(`/api/messages/${root.id}`);
      await stage.until(({ views }) => Boolean(views[root.id]?.thread?.root?.deleted_at));
      await stage.expectFresh();
    },
    "whose last reply is deleted": async (stage) => {
      const root = await stage.bob.say(stage.roomId, "mine");
      const { id } = await stage.ada.say(stage.roomId, "yes", { thread_id: root.id });
      await stage.until(({ threads }) => threads?.[root.id]?.last_reply_seq !== undefined);
      await stage.ada.delete(`/api/messages/${id}`);
      await stage.until(({ threads }) => threads?.[root.id] === undefined);
      await stage.expectFresh();
    },
    "in a room that is not looked at": async (stage) => {
      const other = await otherRoom(stage);
      const root = await stage.bob.say(other, "mine");
      const unread = (state: State) => isThreadUnread(state, root.id);
      const reply = () => stage.ada.say(other, "yes", { thread_id: root.id });
      await reply();
      await stage.until((state) => unread(state) === true);
      await stage.expectFresh();
      const { id } = await reply();
      await stage.bob.post(`/api/threads/read`);
      await stage.until((state) => unread(state) === false);
      await stage.expectFresh();
      await stage.ada.delete(`/api/messages/${id}`);
      await reply();
      await stage.until((state) => unread(state) === true);
      await stage.expectFresh();
      // Who may reply may say that it is done.
      await stage.ada.patch(`/api/messages/${root.id}/thread`, { is_resolved: true });
      await stage.until((state) => unread(state) === false);
      await stage.expectFresh();
    },
    "with its first words and its unread replies": async (stage) => {
      const { ada, bob } = stage;
      const other = await otherRoom(stage);
      const root = await bob.say(other, "a question of **ours**");
      const reply = (text: string) => ada.say(other, text, { thread_id: root.id });
      const becomes = async (words: string | null, count: number) => {
        await stage.until(({ threads }) => {
          const follow = threads?.[root.id];
          if (!follow) return false;
          const { title, excerpt } = withExcerpt(follow.root);
          return (title ?? excerpt) === words && countUnreadReplies(follow) === count;
        });
        await stage.expectFresh();
      };
      const first = await reply("one");
      const second = await reply("two");
      await reply("three");
      await becomes("a question of ours", 3);
      await bob.patch(`/api/messages/${root.id}`, { content: "_another_ question" });
      await becomes("another question", 3);
      await ada.delete(`/api/messages/${second.id}`);
      await becomes("another question", 2);
      await bob.post(`/api/messages/${root.id}/thread/read`, { seq: first.seq });
      await becomes("another question", 1);
      await bob.patch(`/api/messages/${root.id}/thread`, { title: "To be or not" });
      await becomes("To be or not", 1);
      await bob.patch(`/api/messages/${root.id}/thread`, { title: null });
      await bob.delete(`/api/messages/${root.id}`);
      await becomes(null, 1);
    },
  },
  thread_follow: {
    "by being mentioned, and by hand": async (stage) => {
      const root = await stage.ada.say(stage.roomId, "a question");
      await stage.openThread(root.id);
      await stage.ada.say(stage.roomId, "@bob?", { thread_id: root.id });
      await stage.until(({ threads }) => threads?.[root.id] !== undefined);
      await stage.expectFresh();
      const path = `/api/messages/${root.id}/thread/follow`;
      await stage.bob.call("PUT", path, { is_following: false });
      await stage.until(({ threads }) => threads?.[root.id] === undefined);
      await stage.expectFresh();
      await stage.bob.call("PUT", path, { is_following: true });
      await stage.until(({ threads }) => threads?.[root.id] !== undefined);
      await stage.expectFresh();
    },
  },
  thread_read: {
    "from another screen, forward and back": async (stage) => {
      const root = await stage.bob.say(stage.roomId, "mine");
      await stage.openThread(root.id);
      const { id } = await stage.ada.say(stage.roomId, "yes", { thread_id: root.id });
      await stage.ada.say(stage.roomId, "no", { thread_id: root.id });
      await stage.until((state) => stage.replies(state)?.length === 2);
      await stage.bob.post(`/api/messages/${root.id}/thread/read`);
      await stage.until((state) => isThreadUnread(state, root.id) === false);
      await stage.expectFresh();
      await stage.bob.post(`/api/messages/${root.id}/thread/unread`, { message_id: id });
      await stage.until((state) => isThreadUnread(state, root.id) === true);
      await stage.expectFresh();
    },
  },
  ack: {
    "and the envelope of the same message, once": async (stage) => {
      stage.live.outbox?.add(stage.roomId, "mine");
      await stage.until((state) => stage.texts(state)?.length === 1);
      await stage.until((state) => state.conversations?.[stage.roomId]?.last_message_at !== null);
      expect(stage.live.unsent.value).toEqual([]);
      expect(stage.marks()).toMatchObject({ unread: false });
      await stage.expectFresh();
    },
  },
  message_update: {
    "of the text": async (stage) => {
      const { id } = await stage.ada.say(stage.roomId, "befor");
      await stage.ada.patch(`/api/messages/${id}`, { content: "before" });
      await stage.until((state) => stage.texts(state)?.[0] === "before");
      await stage.expectFresh();
    },
    "that names me, and one that no longer does": async (stage) => {
      const { id } = await stage.ada.say(stage.roomId, "you");
      await stage.until((state) => stage.texts(state)?.length === 1);
      await stage.ada.patch(`/api/messages/${id}`, { content: "@bob" });
      await stage.until((state) => stage.texts(state)?.[0] === "@bob");
      await stage.until((state) => stage.marks(state).mention_count === 1);
      await stage.expectFresh();
      await stage.ada.patch(`/api/messages/${id}`, { content: "nobody" });
      await stage.until((state) => stage.texts(state)?.[0] === "nobody");
      await stage.expectFresh();
    },
  },
  message_delete: {
    "of one of two": async (stage) => {
      const { id } = await stage.ada.say(stage.roomId, "gone");
      await stage.ada.say(stage.roomId, "stays");
      await stage.until((state) => stage.texts(state)?.length === 2);
      await stage.ada.delete(`/api/messages/${id}`);
      await stage.until((state) => stage.texts(state)?.length === 1);
      expect(stage.texts()).toEqual(["stays"]);
      await stage.expectFresh();
    },
    "before it was sent to anyone": async (stage) => {
      await stage.ada.say(stage.roomId, "stays");
      const { created_at } = await sayAndDelete(stage.world, stage.roomId);
      await stage.until(
        ({ conversations }) => conversations?.[stage.roomId]?.last_message_at === created_at,
      );
      await stage.expectFresh();
    },
    "of all that was unread": async (stage) => {
      const { id } = await stage.ada.say(stage.roomId, "@bob, gone");
      await stage.until((state) => stage.marks(state).mention_count === 1);
      await stage.ada.delete(`/api/messages/${id}`);
      await stage.until((state) => stage.texts(state)?.length === 0);
      await stage.until((state) => stage.marks(state).unread === false);
      expect(stage.marks()).toEqual({ unread: false, mention_count: 0 });
      await stage.expectFresh();
    },
  },
  reaction: {
    "and its end": async (stage) => {
      const { id } = await stage.ada.say(stage.roomId, "well?");
      const count = (state: State) => state.views[stage.roomId]?.messages[0]?.reactions.length;
      await stage.ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
      await stage.bob.post(`/api/messages/${id}/reactions`, { emoji: "🎉" });
      await stage.until((state) => count(state) === 2);
      await stage.expectFresh();
      await stage.ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
      await stage.until((state) => count(state) === 1);
      await stage.expectFresh();
    },
  },
  pin: {
    "of two messages, the edit and the deletion of one, and its end": async (stage) => {
      const pins = (state: State) => {
        const room = state.conversations?.[stage.roomId];
        return [room?.pin_count, room?.newest_pin?.excerpt];
      };
      const [first, second] = [
        await stage.ada.say(stage.roomId, "the **plan**"),
        await stage.ada.say(stage.roomId, "the list"),
      ];
      await stage.until((state) => stage.texts(state)?.length === 2);
      await stage.ada.put(`/api/messages/${second.id}/pin`, {});
      await stage.bob.put(`/api/messages/${first.id}/pin`, {});
      await stage.until((state) => pins(state)[0] === 2);
      expect(pins(stage.state)).toEqual([2, "the plan"]);
      await stage.expectFresh();
      await stage.ada.patch(`/api/messages/${first.id}`, { content: "the new plan" });
      await stage.until((state) => pins(state)[1] === "the new plan");
      await stage.expectFresh();
      await stage.ada.delete(`/api/messages/${first.id}`);
      await stage.until((state) => pins(state)[0] === 1);
      await stage.expectFresh();
      await stage.ada.delete(`/api/messages/${second.id}/pin`);
      await stage.until((state) => pins(state)[0] === 0);
      await stage.expectFresh();
    },
    "in a room that is not looked at": async (stage) => {
      const other = await otherRoom(stage);
      const { id } = await stage.ada.say(other, "the plan");
      await stage.ada.put(`/api/messages/${id}/pin`, {});
      await stage.until((state) => state.conversations?.[other]?.pin_count === 1);
      await stage.ada.patch(`/api/messages/${id}`, { content: "the other plan" });
      await stage.until(
        (state) => state.conversations?.[other]?.newest_pin?.excerpt === "the other plan",
      );
      await stage.expectFresh();
    },
  },
  link_preview: {
    "that was fetched again": async (stage) => {
      const url = `https://example.invalid/${stage.n}`;
      const { db, sql } = stage.world.database;
      const title = (state: State) => state.views[stage.roomId]?.messages[0]?.preview?.title;
      const { id } = await stage.ada.say(stage.roomId, "a link");
      // Not by posting it: no job is then under way that would tell of it too.
      await sql`update messages set preview_url = ${url}, has_embeds = true where id = ${id}`;
      await sql`insert into link_previews (url_hash, url, title, expires_at) values
        (sha256(convert_to(${url}, 'UTF8')), ${url}, 'First', clock_timestamp() + interval '1 day')`;
      await stage.load();
      expect(title(stage.state)).toBe("First");
      await sql`update link_previews set title = 'Found' where url = ${url}`;
      await db.transaction((tx) =>
        appendEvent(tx, stage.roomId, { type: "link_preview", messageId: id }),
      );
      await stage.until((state) => title(state) === "Found");
      await stage.expectFresh();
    },
  },
  resync: {
    "where the log does not reach back to what was known": async (stage) => {
      await stage.ada.say(stage.roomId, "seen");
      await stage.until((state) => stage.texts(state)?.length === 1);
      stage.live.sync.setHidden(true);
      await stage.ada.say(stage.roomId, "missed");
      await stage.ada.say(stage.roomId, "missed too");
      await stage.world.database.sql`delete from room_log where room_id = ${stage.roomId}`;
      stage.live.sync.setHidden(false);
      await stage.until((state) => stage.texts(state)?.length === 3);
      await stage.expectFresh();
    },
  },
} satisfies Partial<Record<EventType, Cases>>;

/** What is said in a room that is not looked at, and what is read. */
export const UNREAD = {
  unread: {
    "in a room that is not looked at": async (stage) => {
      const other = await otherRoom(stage);
      await stage.ada.say(other, "psst");
      await stage.until((state) => stage.marks(state, other).unread === true);
      await stage.expectFresh();
    },
    "with mentions among others": async (stage) => {
      const other = await otherRoom(stage);
      const texts = Array.from({ length: 20 }, (_, i) => (i % 3 ? "@ada, not you" : "@bob, look"));
      await Promise.all(texts.map((text) => stage.ada.say(other, text)));
      const last = await stage.ada.say(other, "the last");
      await stage.until(
        (state) =>
          stage.marks(state, other).mention_count === 7 &&
          state.conversations?.[other]?.last_message_at === last.created_at,
      );
      await stage.expectFresh();
    },
  },
  unread_changed: {
    "by what was deleted before anyone heard of it, in a room that is not looked at": async (
      stage,
    ) => {
      const other = await otherRoom(stage);
      const { created_at } = await sayAndDelete(stage.world, other);
      await stage.until(
        ({ conversations }) => conversations?.[other]?.last_message_at === created_at,
      );
      await stage.expectFresh();
    },
    "by @room that comes and goes in a room that is not looked at": async (stage) => {
      const other = await otherRoom(stage);
      const { id } = await stage.ada.say(other, "@room, psst");
      await stage.until((state) => stage.marks(state, other).mention_count === 1);
      await stage.expectFresh();
      await stage.ada.patch(`/api/messages/${id}`, { content: "never mind" });
      await stage.until((state) => stage.marks(state, other).mention_count === 0);
      await stage.expectFresh();
    },
    "by what is deleted and edited in a room that is not looked at": async (stage) => {
      const other = await otherRoom(stage);
      const first = await stage.ada.say(other, "@bob, psst");
      const second = await stage.ada.say(other, "no one");
      await stage.until((state) => stage.marks(state, other).mention_count === 1);
      await stage.ada.delete(`/api/messages/${first.id}`);
      await stage.until((state) => stage.marks(state, other).mention_count === 0);
      await stage.expectFresh();
      await stage.ada.patch(`/api/messages/${second.id}`, { content: "@bob" });
      await stage.until((state) => stage.marks(state, other).mention_count === 1);
      await stage.expectFresh();
      await stage.ada.delete(`/api/messages/${second.id}`);
      await stage.until((state) => stage.marks(state, other).unread === false);
      await stage.expectFresh();
    },
  },
  read: {
    "from another screen": async (stage) => {
      await stage.ada.say(stage.roomId, "news");
      await stage.until((state) => stage.marks(state).unread === true);
      await stage.bob.post(`/api/rooms/${stage.roomId}/read`);
      await stage.until((state) => stage.marks(state).unread === false);
      await stage.expectFresh();
    },
    "back to a message that was read": async (stage) => {
      const first = await stage.ada.say(stage.roomId, "@bob one");
      await stage.ada.say(stage.roomId, "two");
      await stage.until((state) => stage.texts(state)?.length === 2);
      await stage.bob.post(`/api/rooms/${stage.roomId}/read`);
      await stage.until((state) => stage.marks(state).unread === false);
      await stage.loadActivity();
      await stage.bob.post(`/api/rooms/${stage.roomId}/unread`, { message_id: first.id });
      await stage.until((state) => stage.marks(state).unread === true);
      await stage.until((state) => stage.marks(state).mention_count === 1);
      await stage.expectFresh();
    },
    "up to a message, with more after it": async (stage) => {
      const first = await stage.ada.say(stage.roomId, "@bob one");
      await stage.ada.say(stage.roomId, "@bob two");
      await stage.bob.say(stage.roomId, "mine");
      await stage.until((state) => stage.texts(state)?.length === 3);
      await stage.bob.post(`/api/rooms/${stage.roomId}/read`, { message_id: first.id });
      await stage.until((state) => stage.marks(state).mention_count === 1);
      await stage.expectFresh();
    },
  },
} satisfies Partial<Record<EventType, Cases>>;

/** Another room of both, that Bob's page knows of and does not look at. */
async function otherRoom(stage: Stage): Promise<string> {
  const other = await stage.world.room(`other-${stage.n}`, stage.ada, [stage.bob]);
  await stage.until((state) => state.conversations?.[other] !== undefined);
  return other;
}
