import { expect } from "bun:test";
import { deactivateUser, reactivateUser } from "../../../src/accounts/administer.ts";
import { roomById, type State } from "../../../public/app/state/model/model.ts";
import type { Client } from "../../support/client.ts";
import { sayAndDelete } from "../../support/gone-message.ts";
import type { Cases, EventType, Stage } from "./stage.ts";

function directIn({ conversations }: State, id: string) {
  const conversation = conversations?.[id];
  return conversation?.kind === "direct" ? conversation : undefined;
}

/** A conversation of Bob's with a newcomer, that Bob's page knows of. */
async function talk(stage: Stage, ...more: Client[]): Promise<{ id: string; carol: Client }> {
  const carol = await stage.world.person(`carol-of-${stage.n}`);
  const user_ids = [stage.bob, ...more].map(({ user }) => user.id);
  const { id } = (await carol.post("/api/direct", { user_ids })).body;
  await stage.until((state) => directIn(state, id) !== undefined);
  return { id, carol };
}

const hasUnread = (id: string, count: number) => (state: State) =>
  directIn(state, id)?.membership?.mention_count === count;

/** What becomes of conversations. */
export const DIRECTS = {
  direct_added: {
    "by another, with messages that are read, edited and deleted": async (stage) => {
      const { id, carol } = await talk(stage);
      const first = await carol.say(id, "hello");
      const second = await carol.say(id, "are you there?");
      await stage.until(hasUnread(id, 2));
      await stage.expectFresh();
      await carol.patch(`/api/messages/${second.id}`, { content: "still there?" });
      await carol.delete(`/api/messages/${first.id}`);
      await stage.until(hasUnread(id, 1));
      await stage.expectFresh();
      await stage.bob.post(`/api/rooms/${id}/read`, {});
      await stage.until(hasUnread(id, 0));
      await stage.expectFresh();
      await stage.bob.say(id, "from my other screen");
      await carol.say(id, "good");
      await stage.until(hasUnread(id, 1));
      await stage.expectFresh();
    },
    "by another, whose first words are deleted before they are heard": async (stage) => {
      const { id } = await talk(stage);
      const { created_at } = await sayAndDelete(stage.world, id);
      await stage.until((state) => directIn(state, id)?.last_message_at === created_at);
      await stage.expectFresh();
    },
    "while it is looked at": async (stage) => {
      const { id, carol } = await talk(stage);
      stage.live.sync.open(id);
      await stage.until((state) => state.views[id]?.loaded === true);
      await carol.say(id, "seen at once");
      await stage.until((state) => state.views[id]?.messages.length === 1);
      expect(directIn(stage.state, id)?.membership?.mention_count).toBe(1);
      await stage.expectFresh();
    },
  },
  direct_updated: {
    "by who is in it, to its end": async (stage) => {
      const { id, carol } = await talk(stage, stage.ada);
      const dave = await stage.world.person(`dave-of-${stage.n}`);
      const memberCount = (count: number) => (state: State) =>
        directIn(state, id)?.direct.members.length === count;
      await carol.post(`/api/direct/${id}/members`, { user_id: dave.user.id });
      await stage.until(memberCount(4));
      await stage.expectFresh();
      for (const client of [dave, stage.ada, carol]) await client.post(`/api/direct/${id}/leave`);
      await stage.until((state) => directIn(state, id)?.is_archived === true);
      await stage.until(memberCount(1));
      await stage.expectFresh();
      await stage.bob.post(`/api/direct/${id}/leave`);
      await stage.until((state) => directIn(state, id) === undefined);
      await stage.expectFresh();
    },
    "by becoming a room": async (stage) => {
      const { id, carol } = await talk(stage, stage.ada);
      await carol.say(id, "as we are");
      await stage.until(hasUnread(id, 1));
      await carol.patch(`/api/rooms/${id}/membership`, { notify: "none" });
      await stage.bob.patch(`/api/rooms/${id}/membership`, { notify: "mentions", pinned: true });
      await stage.until((state) => directIn(state, id)?.membership?.notify === "mentions");
      await stage.expectFresh();
      await carol.post(`/api/direct/${id}/room`, { name: `grown-${stage.n}` });
      await stage.until((state) => roomById(state, id) !== undefined);
      expect(directIn(stage.state, id)).toBeUndefined();
      await stage.expectFresh();
    },
    "by a partner who is deactivated and comes back": async (stage) => {
      const { id, carol } = await talk(stage);
      for (const [change, isClosed] of [
        [deactivateUser, true],
        [reactivateUser, false],
      ] as const) {
        await stage.world.administer(carol.user.username, change);
        await stage.until((state) => directIn(state, id)?.is_archived === isClosed);
        await stage.expectFresh();
      }
    },
    "by being hidden, until the next word": async (stage) => {
      const { id, carol } = await talk(stage);
      await stage.bob.patch(`/api/rooms/${id}/membership`, { hidden: true });
      await stage.until((state) => directIn(state, id)?.direct.hidden_at != null);
      await carol.say(id, "here I am");
      await stage.until(hasUnread(id, 1));
      await stage.expectFresh();
    },
  },
} satisfies Partial<Record<EventType, Cases>>;
