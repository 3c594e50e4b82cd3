import { afterAll, beforeAll, expect, test } from "bun:test";
import { prunePersonal } from "../../jobs/prune.ts";
import type { DraftCopy } from "../../src/wire/drafts.ts";
import type { Scheduled } from "../../src/wire/scheduled-messages.ts";
import { inMinutes, setStage, type Stage, untilDone } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.stop());

const prune = () => prunePersonal(stage.world.database, new AbortController().signal);

test("drafts go 180 days after their last change, and tombstones after 30", async () => {
  const { ada, world } = stage;
  const { sql } = world.database;
  const age = async (days: number, isCleared: boolean) => {
    const { id } = await stage.newRoom();
    await ada.put("/api/drafts", { room_id: id, base_version: 0, content: "words" });
    if (isCleared) await ada.put("/api/drafts", { room_id: id, base_version: 1, content: null });
    await sql`update drafts set updated_at = now() - ${days} * interval '1 day' where room_id = ${id}`;
    return id;
  };
  const [kept, old] = [await age(179, false), await age(181, false)];
  const [cleared, forgotten] = [await age(29, true), await age(31, true)];
  await prune();
  const items: DraftCopy[] = (await ada.get("/api/drafts?after=2020-01-01T00:00:00Z")).body.items;
  const rooms = items.map(({ room_id }) => room_id);
  expect([kept, old, cleared, forgotten].map((id) => rooms.includes(id))).toEqual([
    ...[true, false, true, false],
  ]);
  // Its numbers begin again, and a device that knew the old ones is refused once.
  const body = { room_id: old, content: "later words" };
  const response = await ada.put("/api/drafts", { ...body, base_version: 1 });
  expect(response.body).toMatchObject({
    code: "draft_changed",
    draft: { version: 0, content: null },
  });
  expect((await ada.put("/api/drafts", { ...body, base_version: 0 })).body).toEqual({ version: 1 });
});

test("what was sent goes after a day, and what failed after 180", async () => {
  const { ada, roomId, world } = stage;
  const { sql } = world.database;
  const plan = async (state: string, days: number) => {
    const body = { room_id: roomId, content: "x", send_at: inMinutes(5), zone: "UTC" };
    const { id } = (await ada.post("/api/scheduled", body)).body;
    await sql`update scheduled_messages set state = ${state},
      reason = ${state === "failed" ? "too_late" : null},
      ended_at = now() - ${days} * interval '1 day' where id = ${id}`;
    return id;
  };
  const ids = [
    await plan("sent", 0.9),
    await plan("sent", 1.1),
    await plan("failed", 179),
    await plan("failed", 181),
  ];
  await prune();
  const left = (await sql<{ id: string }[]>`select id from scheduled_messages`).map(({ id }) => id);
  expect(ids.map((id) => left.includes(id))).toEqual([true, false, true, false]);
  const listed: Scheduled[] = (await ada.get("/api/scheduled")).body.items;
  expect(listed.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[2]].toSorted());
});

test("what is overdue without a job is sent", async () => {
  const { ada, owner, world } = stage;
  const { sql } = world.database;
  const { id: room } = await stage.newRoom();
  const body = { room_id: room, content: "at last", send_at: inMinutes(5), zone: "UTC" };
  const { id } = (await ada.post("/api/scheduled", body)).body;
  await sql`update jobs set failed_at = now() where kind = 'send_scheduled'`;
  await sql`update scheduled_messages set send_at = now() - interval '11 minutes' where id = ${id}`;
  await prune();
  await untilDone(world, "send_scheduled");
  const { items } = (await owner.get(`/api/rooms/${room}/messages`)).body;
  expect(items.map(({ content }: { content: string }) => content)).toEqual(["at last"]);
});
