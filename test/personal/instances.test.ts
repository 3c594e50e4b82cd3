import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Saved } from "../../src/wire/saved-messages.ts";
import type { Scheduled } from "../../src/wire/scheduled-messages.ts";
import type { Message } from "../../src/wire/models.ts";
import { inMinutes, makeDue, passTime, setStage, type Stage, untilDone } from "./stage.ts";

/** Two instances, whose runners both look for what is due. */
let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.world.secondInstance();
});
afterAll(() => stage.world.stop());

const textsOf = async (room: string) =>
  (await stage.owner.get(`/api/rooms/${room}/messages?limit=200`)).body.items.map(
    ({ content }: Message) => content,
  );
const plan = (room_id: string, content: string, client = stage.ada) =>
  client.post("/api/scheduled", { room_id, content, send_at: inMinutes(5), zone: "UTC" });

test("what is due in many rooms goes out once, and each author's sockets learn of it", async () => {
  const { ada, ben, world } = stage;
  const rooms = await Promise.all(Array.from({ length: 6 }, () => stage.newRoom()));
  const sockets = [await ada.socket(), await ben.socket()];
  const planned = await Promise.all(
    rooms.flatMap(({ id }) =>
      [ada, ben].flatMap((client) => ["1", "2", "3"].map((text) => plan(id, text, client))),
    ),
  );
  expect(planned.map(({ status }) => status)).toEqual(planned.map(() => 201));
  await passTime(world);
  await untilDone(world, "send_scheduled");
  for (const { id } of rooms) {
    expect((await textsOf(id)).toSorted()).toEqual(["1", "1", "2", "2", "3", "3"]);
  }
  for (const socket of sockets) {
    const sent = new Set<string>();
    while (sent.size < planned.length / 2) {
      const event = await socket.next("scheduled");
      if (event.scheduled?.state === "sent") sent.add(event.id);
    }
    socket.close();
  }
});

test("a reminder comes once", async () => {
  const { ada, ben, world, roomId } = stage;
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) {
    const { id } = await ben.say(roomId, `${n}`);
    await ada.put(`/api/saved/${id}`, { remind_at: inMinutes(5) });
    ids.push(id);
  }
  const socket = await ada.socket();
  await passTime(world);
  await untilDone(world, "remind");
  const due: Saved[] = (await ada.get("/api/saved?filter=due")).body.items;
  expect(due.map(({ message }) => message.id).toSorted()).toEqual(ids.toSorted());
  expect(due.every(({ reminded_at }) => reminded_at !== null)).toBe(true);
  const heard = new Set<string>();
  while (heard.size < ids.length) {
    const event = await socket.next((event) => event.type === "saved" && event.saved?.reminded_at);
    expect(heard).not.toContain(event.message_id);
    heard.add(event.message_id);
  }
  socket.close();
});

test("one that was posted by a process that then died is noted, and not posted again", async () => {
  const { ada, world } = stage;
  const { id: room } = await stage.newRoom();
  const scheduled: Scheduled = (await plan(room, "once")).body;
  const { sql } = world.database;
  // As it is between the post and the note of it.
  await sql`update scheduled_messages set sending_at = clock_timestamp() where id = ${scheduled.id}`;
  const message = await ada.say(room, "once", { client_id: scheduled.id });
  await passTime(world);
  await untilDone(world, "send_scheduled");
  expect(await textsOf(room)).toEqual(["once"]);
  const after = (await ada.get("/api/scheduled?limit=200")).body.items;
  expect(after.find(({ id }: Scheduled) => id === scheduled.id)).toMatchObject({
    state: "sent",
    message_id: message.id,
  });
});

test("one that was being sent is not too late, however long its process was away", async () => {
  const { world } = stage;
  const { id: room } = await stage.newRoom();
  const { id } = (await plan(room, "begun in time")).body;
  const { sql } = world.database;
  await sql`update scheduled_messages set sending_at = clock_timestamp() where id = ${id}`;
  await passTime(world, 60 * 14);
  await untilDone(world, "send_scheduled");
  expect(await textsOf(room)).toEqual(["begun in time"]);
});

test("one that is planned while its job runs is not forgotten", async () => {
  const { world } = stage;
  const { id: room } = await stage.newRoom();
  const { sql } = world.database;
  for (let n = 0; n < 20; n++) {
    await plan(room, `${n}`);
    // The job runs, and ends, while the next ones are planned.
    await Promise.all([makeDue(world, "send_scheduled"), plan(room, `${n}, meanwhile`)]);
  }
  await untilDone(world, "send_scheduled");
  const [row] = await sql<{ waiting: number; jobs: number }[]>`
    select count(*)::int as waiting, (
      select count(*)::int from jobs
      where kind = 'send_scheduled' and unique_key = ${`scheduled:${Number.parseInt(room.slice(-1), 16)}`}
    ) as jobs from scheduled_messages where room_id = ${room} and state = 'waiting'`;
  expect(row).toEqual({ waiting: 40, jobs: 1 });
  const [at] = await sql<{ isNext: boolean }[]>`
    select run_at <= (select min(send_at) from scheduled_messages where room_id = ${room}) as "isNext"
    from jobs where unique_key = ${`scheduled:${Number.parseInt(room.slice(-1), 16)}`}`;
  expect(at?.isNext).toBe(true);
  await passTime(world);
  await untilDone(world, "send_scheduled");
  expect(await textsOf(room)).toHaveLength(40);
});
