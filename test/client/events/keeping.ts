import { expect } from "bun:test";
import { deleteRoom } from "../../../src/rooms/delete.ts";
import { inMinutes, passTime } from "../../personal/stage.ts";
import { Kept } from "../../support/kept.ts";
import type { Cases, EventType, Stage } from "./stage.ts";

const zone = "Europe/Lisbon";

/** What Bob's page loads after its first paint. */
async function keep(stage: Stage): Promise<Kept> {
  const kept = new Kept(stage.live, stage.bob);
  await kept.until(() => kept.isLoaded);
  return kept;
}

async function plan(stage: Stage, room: string, content: string): Promise<string> {
  const body = { room_id: room, content, send_at: inMinutes(5), zone };
  return (await stage.bob.post("/api/scheduled", body)).body.id;
}

/** What nobody but Bob sees. */
export const KEEPING = {
  saved: {
    "with a reminder, which comes, and done": async (stage) => {
      const keeper = await keep(stage);
      const { id } = await stage.ada.say(stage.roomId, "the plan");
      const path = `/api/saved/${id}`;
      await stage.bob.put(path, { remind_at: inMinutes(5) });
      await keeper.until(() => keeper.isSaved(id));
      await keeper.expectFresh();
      await passTime(stage.world);
      await keeper.until(() => (keeper.personal.saved?.due ?? 0) > 0);
      await keeper.expectFresh();
      await stage.bob.post(`${path}/done`);
      await keeper.until(() => !keeper.isSaved(id));
      await keeper.expectFresh();
    },
    "of a message with replies, which is deleted, here and elsewhere": async (stage) => {
      const keeper = await keep(stage);
      const elsewhere = await stage.world.room(`saved-${stage.n}`, stage.ada, [stage.bob]);
      for (const room of [stage.roomId, elsewhere]) {
        const { id } = await stage.ada.say(room, "the plan");
        await stage.ada.say(room, "agreed", { thread_id: id });
        await stage.bob.put(`/api/saved/${id}`, {});
        await keeper.until(() => keeper.isSaved(id));
        await stage.ada.delete(`/api/messages/${id}`);
        await keeper.until(() => !keeper.isSaved(id));
        await keeper.expectFresh();
      }
    },
    "of a room that I leave and come back to, and of a message that is deleted": async (stage) => {
      const keeper = await keep(stage);
      const { id } = await stage.ada.say(stage.roomId, "the plan");
      await stage.bob.put(`/api/saved/${id}`, {});
      await keeper.until(() => keeper.isSaved(id));
      await stage.bob.post(`/api/rooms/${stage.roomId}/leave`);
      await keeper.until(() => !keeper.isSaved(id));
      await stage.bob.post(`/api/rooms/${stage.roomId}/join`);
      await keeper.until(() => keeper.isSaved(id));
      await keeper.expectFresh();
      await stage.ada.delete(`/api/messages/${id}`);
      await keeper.until(() => !keeper.isSaved(id));
      await keeper.expectFresh();
    },
  },
  scheduled: {
    "planned, changed, deleted, and gone with its room": async (stage) => {
      const keeper = await keep(stage);
      const id = await plan(stage, stage.roomId, "later");
      await keeper.until(() => keeper.personal.scheduled?.[id] !== undefined);
      await stage.bob.patch(`/api/scheduled/${id}`, { content: "even later" });
      await keeper.until(() => keeper.personal.scheduled?.[id]?.content === "even later");
      await keeper.expectFresh();
      await stage.bob.delete(`/api/scheduled/${id}`);
      await keeper.until(() => keeper.personal.scheduled?.[id] === undefined);
      const other = await stage.world.room(`planned-${stage.n}`, stage.ada, [stage.bob]);
      const lost = await plan(stage, other, "never");
      await keeper.until(() => keeper.personal.scheduled?.[lost] !== undefined);
      await deleteRoom(stage.world.database.db, stage.ada.user.id, other);
      await keeper.until(() => keeper.personal.scheduled?.[lost] === undefined);
      await keeper.expectFresh();
    },
    "sent at its time": async (stage) => {
      const keeper = await keep(stage);
      const id = await plan(stage, stage.roomId, "on time");
      await passTime(stage.world);
      await keeper.until(() => keeper.personal.scheduled?.[id]?.state === "sent");
      await keeper.expectFresh();
    },
  },
  scheduled_failed: {
    "whose room was archived: its text is a draft again": async (stage) => {
      const keeper = await keep(stage);
      const id = await plan(stage, stage.roomId, "too late");
      await stage.world.archive(stage.roomName, true);
      await passTime(stage.world);
      await keeper.until(() => keeper.personal.scheduled?.[id]?.state === "failed");
      await keeper.until(() => keeper.draft(stage.roomId) === "too late");
      await keeper.expectFresh();
      expect(keeper.personal.scheduled?.[id]?.reason).toBe("room_archived");
    },
  },
  draft: {
    "written, sent and written again on two devices": async (stage) => {
      const [phone, laptop] = [await keep(stage), await keep(stage)];
      phone.write(stage.roomId, "from the phone");
      await laptop.until(() => laptop.draft(stage.roomId) === "from the phone");
      await laptop.expectFresh();
      laptop.write(stage.roomId, "");
      await phone.until(() => phone.draft(stage.roomId) === "");
      await phone.expectFresh();
    },
    "changed on two devices at the same time: both texts stay until one is chosen": async (
      stage,
    ) => {
      const [phone, laptop] = [await keep(stage), await keep(stage)];
      const texts = ["from the phone", "from the laptop"];
      phone.write(stage.roomId, "from the phone");
      laptop.write(stage.roomId, "from the laptop");
      const offerOf = (one: Kept) => one.marks.find(({ key }) => key === stage.roomId)?.offer;
      const both = [phone, laptop];
      await phone.until(() => both.some(offerOf));
      const loser = offerOf(phone) ? phone : laptop;
      const offer = offerOf(loser);
      expect([loser.draft(stage.roomId), offer?.content].sort()).toEqual(texts.toSorted());
      loser.drafts.choose(stage.roomId, "add", offer?.version ?? 0);
      const joined = loser.draft(stage.roomId);
      expect(joined.split("\n").sort()).toEqual(texts.toSorted());
      await phone.until(() => both.every((client) => client.draft(stage.roomId) === joined));
      await phone.expectFresh();
    },
    "of a room that is deleted: its text is offered for copying": async (stage) => {
      const keeper = await keep(stage);
      const other = await stage.world.room(`drafted-${stage.n}`, stage.ada, [stage.bob]);
      await stage.until((state) => state.conversations?.[other] !== undefined);
      const laptop = await keep(stage);
      keeper.write(other, "not lost");
      await laptop.until(() => laptop.draft(other) === "not lost");
      await deleteRoom(stage.world.database.db, stage.ada.user.id, other);
      await keeper.until(() => keeper.deleted.length > 0 && laptop.deleted.length > 0);
      expect([keeper.deleted, keeper.draft(other)]).toEqual([["not lost"], ""]);
      await keeper.expectFresh();
    },
    "of a room that I was removed from: it stays with me": async (stage) => {
      const keeper = await keep(stage);
      keeper.write(stage.roomId, "my words");
      const laptop = await keep(stage);
      await laptop.until(() => laptop.draft(stage.roomId) === "my words");
      await stage.bob.post(`/api/rooms/${stage.roomId}/leave`);
      await stage.until((state) => state.conversations?.[stage.roomId] === undefined);
      keeper.drafts.load();
      await keeper.expectFresh();
      expect([keeper.draft(stage.roomId), keeper.deleted]).toEqual(["my words", []]);
    },
  },
} satisfies Partial<Record<EventType, Cases>>;
