import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Direct, MyRoom } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let room: string;
let direct: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
  room = await world.room("engines", ada, [bob]);
  direct = (await bob.post("/api/direct", { user_ids: [ada.user.id] })).body.id;
});
afterAll(() => world.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const set = (id: string, body: object) => bob.patch(`/api/rooms/${id}/membership`, body);

/** Moves the end of Bob's mutes into the past, as an hour would: no trigger runs, and no version changes. */
async function passAnHour(): Promise<void> {
  await world.database.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update memberships set muted_until = muted_until - interval '61 minutes'
      where user_id = ${bob.user.id}`;
  });
}

/** Bob's membership as each route has it. */
async function readAll(id: string): Promise<(MyRoom | Direct)["membership"][]> {
  const paths = id === room ? ["/api/rooms", "/api/rooms?all=true"] : ["/api/direct"];
  const lists = await Promise.all(paths.map((path) => bob.get(path)));
  const { body } = await bob.get(id === room ? `/api/rooms/${id}` : `/api/direct/${id}`);
  const listed = lists.map(({ body: list }) => list.items.find((item: MyRoom) => item.id === id));
  return [...listed, body].map(({ membership }) => membership);
}

test.each(["room", "direct"])("a %s is muted until a time, and then as before", async (kind) => {
  const id = kind === "room" ? room : direct;
  await set(id, { notify: "mentions" });
  const until = inAnHour();
  const { status, body } = await set(id, { muted_until: until });
  expect(status).toBe(200);
  expect(body.membership).toMatchObject({ notify: "mentions", muted_until: until });
  for (const membership of await readAll(id)) expect(membership).toEqual(body.membership);

  await passAnHour();
  const after = { ...body.membership, muted_until: null };
  for (const membership of await readAll(id)) expect(membership).toEqual(after);
});

test("a level ends a mute, as does null, and other settings leave it", async () => {
  const until = inAnHour();
  await set(room, { notify: "all", muted_until: until });
  const pinned = await set(room, { pinned: true, thread_push: "all" });
  expect(pinned.body.membership).toMatchObject({ notify: "all", muted_until: until });
  expect((await set(room, { notify: "all" })).body.membership.muted_until).toBeNull();

  await set(room, { notify: "none", muted_until: until });
  const { membership } = (await set(room, { muted_until: null })).body;
  expect(membership).toMatchObject({ notify: "none", muted_until: null });
  expect((await set(room, { muted_until: "2020-01-01T00:00:00Z" })).body.membership).toMatchObject({
    notify: "none",
    muted_until: null,
  });
});

test.each(["tomorrow", "2026-02-30T09:00:00Z", 3_600, ""])("%p is no time", async (muted_until) => {
  expectProblem(await set(room, { muted_until }), 422, "validation");
});

test("all devices of a person learn it, and nobody else", async () => {
  const devices = [await bob.socket(), await bob.socket()];
  const other = await ada.socket();
  const until = inAnHour();
  await set(room, { notify: "all", muted_until: until });
  await set(direct, { notify: "all", muted_until: until });
  for (const device of devices) {
    const { room: shown } = await device.next("membership_updated");
    expect(shown).toMatchObject({ id: room, membership: { muted_until: until } });
    const updated = await device.next("direct_updated");
    expect(updated.direct).toMatchObject({ id: direct, membership: { muted_until: until } });
  }
  // Ada's own membership is as it was.
  expect((await ada.get(`/api/rooms/${room}`)).body.membership.muted_until).toBeNull();
  for (const device of [...devices, other]) device.close();
});

test("mentions in a room that is muted for a while are new again after it", async () => {
  await set(room, { notify: "all", muted_until: inAnHour() });
  await ada.say(room, "@bob look");
  await ada.say(room, "@room look, all");
  const news = async () => (await bob.get("/api/activity/unread")).body.mentions;
  const listed = async () =>
    (await bob.get("/api/activity")).body.items.map(
      (item: { is_unread: boolean }) => item.is_unread,
    );
  expect(await news()).toEqual([]);
  expect(await listed()).toEqual([false]);
  await passAnHour();
  expect(await news()).toMatchObject([{ room_id: room, count: 2 }]);
  expect(await listed()).toEqual([true, true]);
});
