import { expect } from "bun:test";
import { placeJoins } from "../../../public/app/state/model/joins.ts";
import { countActivity } from "../../../public/app/state/personal/personal.ts";
import type { State } from "../../../public/app/state/model/model.ts";
import { deleteRoom } from "../../../src/rooms/delete.ts";
import { showUsers } from "../../support/shown-users.ts";
import type { Cases, EventType, Stage } from "./stage.ts";

const people = (stage: Stage) => `/api/rooms/${stage.roomId}/members`;
const roomIn = (stage: Stage, state: State) => state.conversations?.[stage.roomId];

/** What becomes of rooms, and who is in them. */
export const ROOMS = {
  room_updated: {
    "by a new description, and an archive": async (stage) => {
      const renamed = `renamed-${stage.n}`;
      await stage.ada.patch(`/api/rooms/${stage.roomId}`, { name: renamed, description: "new" });
      await stage.until((state) => roomIn(stage, state)?.description === "new");
      await stage.world.archive(renamed, true);
      await stage.until((state) => roomIn(stage, state)?.is_archived === true);
      await stage.expectFresh();
    },
    "by becoming a default room": async (stage) => {
      const admin = await stage.world.person(`admin-${stage.n}`, { isSiteAdmin: true });
      await admin.patch(`/api/admin/rooms/${stage.roomId}`, { is_default: true });
      await stage.until((state) => roomIn(stage, state)?.is_default === true);
      await stage.expectFresh();
      await admin.patch(`/api/admin/rooms/${stage.roomId}`, { is_default: false });
    },
    "by a new name, where messages name it": async (stage) => {
      await stage.ada.say(stage.roomId, `see #${stage.roomName}`);
      await stage.until((state) => stage.texts(state)?.length === 1);
      const renamed = `renamed-${stage.n}`;
      await stage.ada.patch(`/api/rooms/${stage.roomId}`, { name: renamed });
      await stage.until((state) => roomIn(stage, state)?.name === renamed);
      await stage.expectFresh();
    },
    "by a new owner: me, and another again": async (stage) => {
      const path = `/api/rooms/${stage.roomId}/transfer`;
      await stage.ada.post(path, { user_id: stage.bob.user.id });
      await stage.until((state) => roomIn(stage, state)?.owner.username === "bob");
      await stage.expectFresh();
      await stage.bob.post(path, { user_id: stage.ada.user.id });
      await stage.until((state) => roomIn(stage, state)?.owner.username === "ada");
      await stage.expectFresh();
    },
  },
  member_added: {
    "between messages, and some after each other": async (stage) => {
      const join = async (name: string) => {
        const username = `${name}-${stage.n}`;
        await stage.world.person(username);
        await stage.ada.post(people(stage), { username });
      };
      await stage.ada.say(stage.roomId, "first");
      await join("dora");
      await stage.ada.say(stage.roomId, "second");
      for (const name of ["eve", "fay", "gus", "hal"]) await join(name);
      await stage.until((state) => roomIn(stage, state)?.member_count === 7);
      await stage.expectFresh();
      const { messages = [], joins = [] } = stage.state.views[stage.roomId] ?? {};
      const counts = [...placeJoins(messages, joins).values()].map(({ count }) => count);
      // Bob, when the room was made, is the first.
      expect(counts).toEqual([1, 1, 4]);
    },
    "and gone again": async (stage) => {
      const username = `carol-${stage.n}`;
      const carol = await stage.world.person(username);
      await stage.ada.post(people(stage), { username });
      await stage.until((state) => roomIn(stage, state)?.member_count === 3);
      await stage.expectFresh();
      await stage.ada.delete(`${people(stage)}/${carol.user.id}`);
      await stage.until((state) => roomIn(stage, state)?.member_count === 2);
      await stage.expectFresh();
    },
  },
  member_removed: {
    "who has written, by leaving": async (stage) => {
      const dave = await stage.world.person(`dave-${stage.n}`);
      await dave.post(`/api/rooms/${stage.roomId}/join`);
      await dave.say(stage.roomId, "hello and goodbye");
      await dave.post(`/api/rooms/${stage.roomId}/leave`);
      await stage.until(
        (state) => stage.texts(state)?.length === 1 && roomIn(stage, state)?.member_count === 2,
      );
      await stage.expectFresh();
    },
  },
  room_added: {
    "by another, with what was said in it before": async (stage) => {
      const other = await stage.world.room(`added-${stage.n}`, stage.ada);
      await stage.ada.say(other, "@bob, are you there?");
      await stage.ada.post(`/api/rooms/${other}/members`, { username: "bob" });
      await stage.until((state) => state.conversations?.[other] !== undefined);
      await stage.expectFresh();
    },
  },
  room_removed: {
    "by its deletion": async (stage) => {
      const other = await stage.world.room(`brief-${stage.n}`, stage.ada, [stage.bob]);
      await stage.until((state) => state.conversations?.[other] !== undefined);
      await deleteRoom(stage.world.database.db, stage.ada.user.id, other);
      await stage.until((state) => state.conversations?.[other] === undefined);
      await stage.expectFresh();
    },
    "while it is looked at": async (stage) => {
      await stage.ada.say(stage.roomId, "the last that is seen");
      await stage.until((state) => stage.texts(state)?.length === 1);
      await stage.ada.delete(`${people(stage)}/${stage.bob.user.id}`);
      await stage.until((state) => roomIn(stage, state) === undefined);
      await stage.expectFresh();
    },
    "with new reactions to what I said in it, and back in it": async (stage) => {
      const { id } = await stage.bob.say(stage.roomId, "who agrees?");
      const before = stage.state.personal.activity?.reactions ?? 0;
      await stage.ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
      await stage.until(({ personal: { activity } }) => activity?.reactions === before + 1);
      await stage.ada.delete(`${people(stage)}/${stage.bob.user.id}`);
      await stage.until((state) => roomIn(stage, state) === undefined);
      await stage.expectFresh();
      await stage.ada.post(people(stage), { username: "bob" });
      await stage.until((state) => roomIn(stage, state) !== undefined);
      await stage.until(({ personal: { activity } }) => activity?.reactions === before + 1);
    },
  },
} satisfies Partial<Record<EventType, Cases>>;

/** What people are to each other. */
export const PEOPLE = {
  member_updated: {
    "by a new name of one who has written and owns the room": async (stage) => {
      await stage.ada.say(stage.roomId, "who am I?");
      await stage.until((state) => stage.texts(state)?.length === 1);
      await stage.ada.patch("/api/auth/me", { display_name: `Ada ${stage.n}` });
      await stage.until((state) => {
        const room = showUsers(state, roomIn(stage, state));
        return room?.owner.display_name === `Ada ${stage.n}`;
      });
      await stage.expectFresh();
    },
    "by a new name of one who has written and left": async (stage) => {
      const eve = await stage.world.person(`eve-${stage.n}`);
      await eve.post(`/api/rooms/${stage.roomId}/join`);
      await eve.say(stage.roomId, "goodbye");
      await eve.post(`/api/rooms/${stage.roomId}/leave`);
      await stage.until((state) => state.views[stage.roomId]?.members?.length === 2);
      await eve.patch("/api/auth/me", { display_name: "Eve of old" });
      await stage.expectFresh();
    },
    "by a new role of mine": async (stage) => {
      const { id } = stage.bob.user;
      await stage.ada.patch(`${people(stage)}/${id}`, { role: "admin" });
      await stage.until((state) =>
        Boolean(
          state.views[stage.roomId]?.members?.some(
            ({ user, role }) => user.id === id && role === "admin",
          ),
        ),
      );
      await stage.until((state) => roomIn(stage, state)?.membership?.role === "admin");
      await stage.expectFresh();
    },
  },
  membership_updated: {
    "in a room that is not looked at": async (stage) => {
      const other = await stage.world.room(`role-${stage.n}`, stage.ada, [stage.bob]);
      await stage.until((state) => state.conversations?.[other] !== undefined);
      await stage.ada.patch(`/api/rooms/${other}/members/${stage.bob.user.id}`, { role: "admin" });
      await stage.until((state) => state.conversations?.[other]?.membership?.role === "admin");
      await stage.bob.patch(`/api/rooms/${other}/membership`, { notify: "none" });
      await stage.until((state) => state.conversations?.[other]?.membership?.notify === "none");
      await stage.expectFresh();
    },
    "in a room with a new mention, muted and not": async (stage) => {
      await stage.ada.say(stage.roomId, "@bob look");
      await stage.until((state) => stage.marks(state).mention_count === 1);
      const mute = async (notify: "none" | "all") => {
        await stage.bob.patch(`/api/rooms/${stage.roomId}/membership`, { notify });
        await stage.until((state) => roomIn(stage, state)?.membership?.notify === notify);
      };
      await mute("none");
      await stage.loadActivity();
      await stage.expectFresh();
      await mute("all");
      await stage.expectFresh();
    },
    "that is muted for a while": async (stage) => {
      const muted_until = new Date(Date.now() + 3_600_000).toISOString();
      await stage.bob.patch(`/api/rooms/${stage.roomId}/membership`, { muted_until });
      await stage.until((state) => roomIn(stage, state)?.membership?.muted_until === muted_until);
      await stage.expectFresh();
    },
    "by a favourite": async (stage) => {
      await stage.bob.patch(`/api/rooms/${stage.roomId}/membership`, { pinned: true });
      await stage.until((state) => roomIn(stage, state)?.membership?.pinned_at != null);
      await stage.expectFresh();
    },
  },
  hello: {
    "after a while without a connection": async (stage) => {
      const closed = new Promise((resolve) => stage.socket.addEventListener("close", resolve));
      stage.socket.close();
      await closed;
      await stage.bob.patch("/api/auth/me", { display_name: `Away ${stage.n}` });
      await stage.ada.patch(`/api/rooms/${stage.roomId}`, { description: "meanwhile" });
      await stage.ada.say(stage.roomId, "are you there?");
      stage.live.reconnectNow();
      await stage.until(
        (state) =>
          state.me?.display_name === `Away ${stage.n}` &&
          roomIn(stage, state)?.description === "meanwhile" &&
          stage.texts(state)?.length === 1,
      );
      await stage.expectFresh();
    },
  },
  activity_updated: {
    "by reactions to my messages, and by having seen them on another screen": async (stage) => {
      const { id } = await stage.bob.say(stage.roomId, "well?");
      const reactions = (state: State) => state.personal.activity?.reactions;
      await stage.ada.post(`/api/messages/${id}/reactions`, { emoji: "🎉" });
      await stage.until((state) => reactions(state) === 1);
      await stage.expectFresh();
      await stage.bob.post("/api/activity/read", { at: new Date().toISOString() });
      await stage.until((state) => reactions(state) === 0);
      await stage.expectFresh();
      await stage.ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
      await stage.until((state) => reactions(state) === 1);
      await stage.ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
      await stage.until((state) => reactions(state) === 0);
      await stage.expectFresh();
    },
    "by mentions, until they are read in their room": async (stage) => {
      const count = (state: State) => countActivity(state).mentions;
      await stage.ada.say(stage.roomId, "@bob one");
      await stage.until((state) => count(state) === 1);
      await stage.bob.post("/api/activity/read", { at: new Date().toISOString() });
      await stage.until((state) => count(state) === 0);
      await stage.expectFresh();
      const second = await stage.ada.say(stage.roomId, "@bob two");
      const third = await stage.ada.say(stage.roomId, "@room three");
      await stage.until((state) => count(state) === 2);
      expect(stage.marks().mention_count).toBe(3);
      await stage.expectFresh();
      const read = (message_id: string) =>
        stage.bob.post(`/api/rooms/${stage.roomId}/read`, { message_id });
      await read(second.id);
      await stage.until((state) => count(state) === 1);
      await stage.expectFresh();
      await read(third.id);
      await stage.until((state) => count(state) === 0);
      await stage.expectFresh();
    },
  },
  sections_updated: {
    "by another device, and by leaving a room and coming back": async (stage) => {
      const { world, ada, bob, n } = stage;
      const roomId = await world.room(`listed-${n}`, ada, [bob], "open");
      const listed = (state: State) =>
        state.personal.sections?.sections.flatMap(({ room_ids }) => room_ids).includes(roomId);
      const path = "/api/auth/me/sections";
      const { version } = (await bob.get(path)).body;
      const section = { id: crypto.randomUUID(), name: `Projects ${n}`, is_collapsed: true };
      const sections = [{ ...section, room_ids: [roomId] }];
      await bob.put(path, { base_version: version, sections });
      await stage.until((state) => listed(state) === true);
      await stage.expectFresh();
      await bob.post(`/api/rooms/${roomId}/leave`);
      await stage.until((state) => listed(state) === false);
      await bob.post(`/api/rooms/${roomId}/join`);
      await stage.until((state) => state.conversations?.[roomId] !== undefined);
      await stage.expectFresh();
      expect(listed(stage.state)).toBe(false);
    },
  },
  me_updated: {
    "by a new name of one who has written and owns a room": async (stage) => {
      await stage.world.room(`bobs-${stage.n}`, stage.bob);
      await stage.bob.say(stage.roomId, "who am I?");
      await stage.until((state) => stage.texts(state)?.length === 1);
      await stage.bob.patch("/api/auth/me", { display_name: `Bob ${stage.n}` });
      await stage.until((state) => state.me?.display_name === `Bob ${stage.n}`);
      await stage.expectFresh();
    },
    "by an arranged sidebar": async (stage) => {
      await stage.bob.patch("/api/auth/me", { sidebar: { order: [stage.roomId] } });
      await stage.until((state) => state.me?.sidebar.order.length === 1);
      await stage.expectFresh();
    },
    "by a theme, a preset and a custom one": async (stage) => {
      await stage.bob.patch("/api/auth/me", { theme: "midnight" });
      await stage.until((state) => state.me?.theme === "midnight");
      await stage.expectFresh();
      const response = await stage.bob.post("/api/custom-themes", {
        name: `mine ${stage.n}`,
        colors: COLORS,
        is_dark: true,
      });
      await stage.bob.post(`/api/custom-themes/${response.body.id}/activate`);
      await stage.until((state) => state.me?.active_custom_theme_id === response.body.id);
      await stage.expectFresh();
    },
  },
} satisfies Partial<Record<EventType, Cases>>;

const COLORS = {
  background: "#101010",
  surface: "#181818",
  sidebar: "#0c0c0c",
  border: "#2a2a2a",
  text: "#f0f0f0",
  text_muted: "#b0b0b0",
  accent: "#7aa2f7",
  accent_strong: "#9ab8ff",
  accent_soft: "#1f2a44",
  highlight: "#3a3010",
  danger: "#ff7a7a",
  on_accent: "#0c0c0c",
};
