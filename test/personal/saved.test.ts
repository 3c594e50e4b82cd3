import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { prunePersonal } from "../../jobs/prune.ts";
import { MAX_SAVED } from "../../src/wire/limits.ts";
import type { Saved } from "../../src/wire/saved-messages.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { inMinutes, passTime, setStage, type Stage, untilDone } from "./stage.ts";

let stage: Stage;
let ada: Client;
beforeAll(async () => {
  stage = await setStage();
  ada = stage.ada;
});
afterAll(() => stage.world.stop());

const save = (client: Client, id: string, body: object = {}) =>
  client.put(`/api/saved/${id}`, body);
const done = (client: Client, id: string) => client.post(`/api/saved/${id}/done`);
const list = async (client: Client, filter = "open"): Promise<Saved[]> =>
  (await client.get(`/api/saved?filter=${filter}&limit=200`)).body.items;
const idsOf = async (client: Client, filter = "open") =>
  (await list(client, filter)).map(({ message }) => message.id);

/** What is announced of a change may come late: only a reminder has been given. */
const isReminder = (event: { type: string; saved?: Saved | null }) =>
  event.type === "saved" && event.saved?.reminded_at != null;
/** Of this message: those of earlier ones may still come. */
const isReminderOf = (id: string) => (event: Parameters<typeof isReminder>[0]) =>
  isReminder(event) && event.saved?.message.id === id;

describe("a saved message", () => {
  test("is in the list with its room, on all own sockets, and on nobody else's", async () => {
    const { id: room, name } = await stage.newRoom();
    const message = await stage.ben.say(room, "read this later");
    const [socket, author] = [await ada.socket(), await stage.ben.socket()];
    const { status, body } = await save(ada, message.id, { note: " for the talk " });
    expect(status).toBe(200);
    expect(body).toEqual({
      message,
      room: { id: room, kind: "room", name },
      note: "for the talk",
      saved_at: expect.any(String),
      remind_at: null,
      reminded_at: null,
      done_at: null,
    });
    const event = await socket.next((event) => event.message_id === message.id);
    expect(event).toEqual({ type: "saved", message_id: message.id, saved: body });
    expect((await list(ada))[0]).toEqual(body);
    expect((await ada.get("/api/saved/ids")).body).toEqual({ ids: [message.id], due_count: 0 });
    for (const client of [stage.ben, stage.owner]) {
      expect(await list(client)).toEqual([]);
      expect((await client.get("/api/saved/ids")).body.ids).toEqual([]);
    }
    // The message itself says nothing of it.
    expect((await stage.ben.get(`/api/messages/${message.id}`)).body).toEqual(message);
    expect((await author.drain()).some(({ type }) => type === "saved")).toBe(false);
    socket.close();
    author.close();
  });

  test("keeps what is not given, is done, opened again, and dropped", async () => {
    const { id } = await ada.say(stage.roomId, "keep");
    const remind_at = inMinutes(60);
    await save(ada, id, { note: "why", remind_at });
    expect((await save(ada, id, {})).body).toMatchObject({ note: "why", remind_at });
    expect((await save(ada, id, { note: null })).body).toMatchObject({ note: null, remind_at });
    const finished = (await done(ada, id)).body;
    expect(finished.done_at).toEqual(expect.any(String));
    expect((await done(ada, id)).body).toEqual(finished);
    expect([await idsOf(ada, "open"), await idsOf(ada, "done")]).toEqual([
      expect.not.arrayContaining([id]),
      [id],
    ]);
    expect((await save(ada, id, {})).body).toMatchObject({ done_at: null });
    const socket = await ada.socket();
    expect((await ada.delete(`/api/saved/${id}`)).status).toBe(204);
    const dropped = await socket.next((event) => event.type === "saved" && !event.saved);
    expect(dropped).toEqual({ type: "saved", message_id: id, saved: null });
    expect((await ada.delete(`/api/saved/${id}`)).status).toBe(204);
    expectProblem(await done(ada, id), 404, "message_not_found");
    socket.close();
  });

  test("is one that can be read: another looks like none", async () => {
    const { id } = await ada.say(stage.roomId, "inside");
    const { outsider } = stage;
    const [there, never] = [await save(outsider, id), await save(outsider, Bun.randomUUIDv7())];
    expect([there.status, there.body]).toEqual([never.status, never.body]);
    expectProblem(there, 404, "message_not_found");
    const open = await stage.world.room("open-one", stage.owner, [], "open");
    const { id: outside } = await stage.owner.say(open, "for members");
    expectProblem(await save(outsider, outside), 403, "not_a_member");
    const [dropped, unknown] = [
      await outsider.delete(`/api/saved/${id}`),
      await outsider.delete(`/api/saved/${Bun.randomUUIDv7()}`),
    ];
    expect([dropped.status, unknown.status]).toEqual([204, 204]);
  });

  test("number 2,001 is refused while as many are open", async () => {
    const { world, roomId } = stage;
    const many = await world.person("collector");
    await stage.owner.post(`/api/rooms/${roomId}/members`, { user_id: many.user.id });
    const [first, second] = [await ada.say(roomId, "1"), await ada.say(roomId, "2")];
    const { sql } = world.database;
    await sql`with room as (
        update rooms set last_seq = last_seq + ${MAX_SAVED} where id = ${roomId} returning last_seq
      ), filled as (
        insert into messages (id, room_id, seq, author_id, content)
        select gen_random_uuid(), ${roomId}, last_seq - ${MAX_SAVED}::int + n, ${ada.user.id}, 'x'
        from room, generate_series(1, ${MAX_SAVED - 1}::int) n returning id
      ) select from filled`;
    await sql`insert into saved_messages (user_id, message_id, room_id)
      select ${many.user.id}, id, room_id from messages
      where room_id = ${roomId} and content = 'x' limit ${MAX_SAVED - 1}`;
    expect((await save(many, first.id)).status).toBe(200);
    expectProblem(await save(many, second.id), 409, "too_many_saved");
    expect((await save(many, first.id, { note: "still" })).status).toBe(200);
    await done(many, first.id);
    expect((await save(many, second.id)).status).toBe(200);
    expectProblem(await save(many, first.id), 409, "too_many_saved");
    expect((await many.get("/api/saved/ids")).body.ids).toHaveLength(MAX_SAVED);
  });

  test("has a note of 500 characters, and a time of 1 minute to 2 years", async () => {
    const { id } = await ada.say(stage.roomId, "bounds");
    expect((await save(ada, id, { note: "😀".repeat(500) })).status).toBe(200);
    expectProblem(await save(ada, id, { note: "😀".repeat(501) }), 422, "validation");
    for (const minutes of [-1, 0.5, 60 * 24 * 740]) {
      const answer = await save(ada, id, { remind_at: inMinutes(minutes) });
      expect([minutes, answer.status]).toEqual([minutes, 422]);
    }
    for (const minutes of [1, 60 * 24 * 730]) {
      expect((await save(ada, id, { remind_at: inMinutes(minutes) })).status).toBe(200);
    }
  });

  test("comes in pages, the newest first", async () => {
    const reader = await stage.world.person("reader");
    await stage.owner.post(`/api/rooms/${stage.roomId}/members`, { user_id: reader.user.id });
    const ids: string[] = [];
    for (const text of ["1", "2", "3"]) {
      const { id } = await ada.say(stage.roomId, text);
      await save(reader, id);
      ids.unshift(id);
    }
    const first = (await reader.get("/api/saved?limit=2")).body;
    const second = (await reader.get(`/api/saved?limit=2&cursor=${first.next}`)).body;
    const all = [...first.items, ...second.items].map(({ message }: Saved) => message.id);
    expect([all, second.next]).toEqual([ids, null]);
    expectProblem(await reader.get("/api/saved?cursor=abc"), 422, "validation");
    expectProblem(await reader.get("/api/saved?filter=all"), 422, "validation");
  });
});

describe("a reminder", () => {
  test("comes once, at its time, and is due until it is done", async () => {
    const { id } = await stage.ben.say(stage.roomId, "then");
    await save(ada, id, { remind_at: inMinutes(5) });
    expect(await idsOf(ada, "due")).toEqual([]);
    const socket = await ada.socket();
    await passTime(stage.world);
    const { saved } = await socket.next(isReminder);
    expect(saved).toMatchObject({ message: { id }, reminded_at: expect.any(String) });
    expect(await idsOf(ada, "due")).toEqual([id]);
    expect((await ada.get("/api/saved/ids")).body.due_count).toBe(1);
    // It is in the list of what is open, too.
    expect(await idsOf(ada)).toContain(id);
    await done(ada, id);
    expect(await idsOf(ada, "due")).toEqual([]);
    socket.close();
  });

  test("with another time comes then and not before, and one that is taken off never", async () => {
    const [moved, taken] = [
      await ada.say(stage.roomId, "moved"),
      await ada.say(stage.roomId, "taken off"),
    ];
    await save(ada, moved.id, { remind_at: inMinutes(5) });
    await save(ada, moved.id, { remind_at: inMinutes(300) });
    await save(ada, taken.id, { remind_at: inMinutes(5) });
    await save(ada, taken.id, { remind_at: null });
    await passTime(stage.world);
    await untilDone(stage.world, "remind");
    const open = await list(ada);
    for (const { id } of [moved, taken]) {
      expect(open.find(({ message }) => message.id === id)?.reminded_at).toBeNull();
    }
    await passTime(stage.world, 300);
    await untilDone(stage.world, "remind");
    expect(await idsOf(ada, "due")).toEqual([moved.id]);
    // A new time is a new reminder.
    const again = (await save(ada, moved.id, { remind_at: inMinutes(5) })).body;
    expect(again.reminded_at).toBeNull();
    await done(ada, moved.id);
    await passTime(stage.world);
    await untilDone(stage.world, "remind");
    const [row] = await stage.world.database.sql<{ reminded_at: Date | null }[]>`
      select reminded_at from saved_messages where message_id = ${moved.id}`;
    expect(row?.reminded_at).toBeNull();
  });
});

describe("what happens to what is saved, and to its reminder", () => {
  const due = async () => {
    await passTime(stage.world);
    await untilDone(stage.world, "remind");
  };
  const prune = () => prunePersonal(stage.world.database, new AbortController().signal);
  const findSaved = async (id: string, client = ada) =>
    (await list(client)).find(({ message }) => message.id === id);

  test("when the message is edited: both show the new text", async () => {
    const { id } = await stage.ben.say(stage.roomId, "old");
    await save(ada, id, { remind_at: inMinutes(5) });
    await stage.ben.patch(`/api/messages/${id}`, { content: "new" });
    const socket = await ada.socket();
    await due();
    expect((await socket.next(isReminder)).saved.message.content).toBe("new");
    expect((await findSaved(id))?.message.content).toBe("new");
    await done(ada, id);
    socket.close();
  });

  test("when the message is deleted: it is gone, and the job finds nothing", async () => {
    for (const isRoot of [false, true]) {
      const { id } = await stage.ben.say(stage.roomId, "going");
      // The root of a thread stays as a tombstone.
      if (isRoot) await ada.say(stage.roomId, "a reply", { thread_id: id });
      await save(ada, id, { remind_at: inMinutes(5) });
      await stage.ben.delete(`/api/messages/${id}`);
      expect(await findSaved(id)).toBeUndefined();
      expect((await ada.get("/api/saved/ids")).body.ids).not.toContain(id);
      const socket = await ada.socket();
      await due();
      expect((await socket.drain()).some(isReminderOf(id))).toBe(false);
      socket.close();
    }
  });

  test("when only the root of a deleted message is left: it is not saved, and nothing waits", async () => {
    const { id } = await stage.ben.say(stage.roomId, "gone");
    await ada.say(stage.roomId, "a reply", { thread_id: id });
    await stage.ben.delete(`/api/messages/${id}`);
    const refused = await save(ada, id, { remind_at: inMinutes(5) });
    expectProblem(refused, 404, "message_not_found");
    const { sql } = stage.world.database;
    expect(await sql`select from saved_messages where message_id = ${id}`).toHaveLength(0);
    expect(await sql`select from jobs where payload ->> 'messageId' = ${id}`).toHaveLength(0);
  });

  test("when I leave: hidden and silent, back and due with me, dropped after 90 days", async () => {
    const { id: room } = await stage.newRoom();
    const { id } = await stage.ben.say(room, "in there");
    await save(ada, id, { remind_at: inMinutes(5) });
    await ada.post(`/api/rooms/${room}/leave`);
    const socket = await ada.socket();
    await due();
    expect((await socket.drain()).some(isReminderOf(id))).toBe(false);
    expect([await findSaved(id), (await ada.get("/api/saved/ids")).body.ids.includes(id)]).toEqual([
      undefined,
      false,
    ]);
    expectProblem(await done(ada, id), 404, "message_not_found");
    expectProblem(await save(ada, id), 404, "message_not_found");
    await prune();
    await stage.owner.post(`/api/rooms/${room}/members`, { user_id: ada.user.id });
    expect(await idsOf(ada, "due")).toContain(id);
    expect((await findSaved(id))?.reminded_at).toBeNull();
    await prune();
    const { sql } = stage.world.database;
    const hidden = () => sql<{ hidden_since: Date | null }[]>`
      select hidden_since from saved_messages where message_id = ${id}`;
    expect((await hidden())[0]).toEqual({ hidden_since: null });
    await ada.post(`/api/rooms/${room}/leave`);
    await prune();
    for (const [days, left] of [
      [89, 1],
      [2, 0],
    ] as const) {
      await sql`update saved_messages set hidden_since = hidden_since - ${days} * interval '1 day'
        where message_id = ${id}`;
      await prune();
      expect(await hidden()).toHaveLength(left);
    }
    socket.close();
  });

  test("when the room is archived: it stays, and the reminder comes", async () => {
    const { id: room, name } = await stage.newRoom();
    const { id } = await stage.ben.say(room, "archived");
    await save(ada, id, { remind_at: inMinutes(5) });
    await stage.world.archive(name, true);
    await due();
    expect((await findSaved(id))?.reminded_at).toEqual(expect.any(String));
    expect((await save(ada, id, { note: "still" })).status).toBe(200);
    await done(ada, id);
  });

  test("when the room is deleted: gone", async () => {
    const { id: room } = await stage.newRoom();
    const { id } = await stage.ben.say(room, "deleted");
    await save(ada, id, { remind_at: inMinutes(5) });
    await stage.owner.delete(`/api/rooms/${room}`);
    await due();
    expect(await findSaved(id)).toBeUndefined();
    const rows = await stage.world.database.sql`
      select from saved_messages where message_id = ${id}`;
    expect(rows.count).toBe(0);
  });

  test("when I am deactivated: kept, and silent", async () => {
    const { world, roomId } = stage;
    const away = await world.person("away");
    await stage.owner.post(`/api/rooms/${roomId}/members`, { user_id: away.user.id });
    const { id } = await stage.ben.say(roomId, "kept");
    await save(away, id, { remind_at: inMinutes(5) });
    await world.administer("away", deactivateUser);
    await due();
    await world.administer("away", reactivateUser);
    const back = await world.signIn(away.user);
    expect(await findSaved(id, back)).toMatchObject({ reminded_at: null });
    expect(await idsOf(back, "due")).toEqual([id]);
  });

  test("when the service was down at the time: it comes on return", async () => {
    const { id } = await stage.ben.say(stage.roomId, "late");
    await save(ada, id, { remind_at: inMinutes(5) });
    await passTime(stage.world, 60 * 24 * 3);
    await untilDone(stage.world, "remind");
    expect((await findSaved(id))?.reminded_at).toEqual(expect.any(String));
  });
});

test("bots save nothing", async () => {
  const bot = await stage.world.bot("saver", ["read:messages", "write:messages"]);
  for (const answer of [
    await bot.get("/api/saved"),
    await bot.get("/api/saved/ids"),
    await save(bot, Bun.randomUUIDv7()),
  ]) {
    expectProblem(answer, 403, "not_for_bots");
  }
});
