import { afterAll, beforeAll, expect, test } from "bun:test";
import { SIGNAL_CHANNEL } from "../../src/feed/channels.ts";
import { MemberUpdates } from "../../src/feed/member-updates.ts";
import { readPeople } from "../../src/users/directory.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Member } from "../../src/wire/models.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

type Updated = Extract<ServerEvent, { type: "member_updated" }>;

let world: World;
let owner: Client;
let member: Client;
let roomId: string;
let watcher: Awaited<ReturnType<Client["socket"]>>;
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
  member = await world.person("member");
  roomId = await world.room("watched", owner, [member], "open");
  watcher = await owner.socket();
  watcher.send({ type: "join", room_id: roomId });
  await watcher.next("joined");
});
afterAll(() => world.stop());

/** The next update of a user that satisfies a condition: earlier ones may be of a change before it. */
async function updateOf({ user }: Client, isIt: (found: Member | undefined) => boolean) {
  for (;;) {
    const event = (await watcher.next("member_updated")) as Updated;
    if (!event.user_ids?.includes(user.id as string)) continue;
    const match = event.members?.find((member) => member.user.id === user.id);
    if (isIt(match)) return { event, found: match };
  }
}

test("an update brings the people concerned as the list of members has them", async () => {
  const changes: [change: () => Promise<unknown>, isIt: (found: Member | undefined) => boolean][] =
    [
      [
        () => member.patch("/api/auth/me", { display_name: "Mia" }),
        (found) => found?.user.display_name === "Mia",
      ],
      [
        () => owner.patch(`/api/rooms/${roomId}/members/${member.user.id}`, { role: "admin" }),
        (found) => found?.role === "admin",
      ],
      [() => member.socket(), (found) => found?.status === "online"],
    ];
  for (const [change, isIt] of changes) {
    await change();
    const { event, found } = await updateOf(member, isIt);
    const { body } = await owner.get(`/api/rooms/${roomId}/members?user_ids=${member.user.id}`);
    expect(found).toEqual(body.items[0]);
    expect(JSON.stringify(event).length).toBeLessThan(1_000);
  }
});

test("an update brings who joins, and names who leaves", async () => {
  const visitor = await world.person("visitor");
  await visitor.post(`/api/rooms/${roomId}/join`, {});
  const { found } = await updateOf(visitor, (one) => one !== undefined);
  const { body } = await owner.get(`/api/rooms/${roomId}/members?user_ids=${visitor.user.id}`);
  expect(found).toEqual(body.items[0]);
  await visitor.post(`/api/rooms/${roomId}/leave`, {});
  const { event } = await updateOf(visitor, (one) => one === undefined);
  expect(event.members).toEqual([]);
});

test("many who change at once are brought, though not named", async () => {
  const { sql } = world.database;
  await sql`insert into users (id, username, email)
    select gen_random_uuid(), 'many' || n, n || '@many.example.org' from generate_series(1, 150) n`;
  await sql`insert into memberships (room_id, user_id, role)
    select ${roomId}, id, 'member' from users where username like 'many%'`;
  await sql`select pg_notify(${SIGNAL_CHANNEL},
    json_build_object('kind', 'member_updated', 'user_id', id)::text)
    from users where username like 'many%'`;
  const seen = new Set<string>();
  while (seen.size < 150) {
    const event = (await watcher.next("member_updated")) as Updated;
    const many = event.members?.filter(({ user }) => user.username.startsWith("many")) ?? [];
    for (const { user } of many) seen.add(user.id);
    if (many.length > 100) expect(event.user_ids).toBeNull();
    expect(JSON.stringify(event).length / many.length).toBeLessThan(1_000);
  }
});

test("a room has one update of all who change at once, before those of their conversations", async () => {
  const people = await Promise.all([1, 2, 3].map((n) => world.person(`partner-${n}`)));
  const busyId = await world.room("busy", owner, people);
  const [first, ...others] = people.map(({ user }) => user.id as string) as [string, ...string[]];
  for (const id of others) await people[0]?.post("/api/direct", { user_ids: [id] });
  const published: { room_id: string; user_ids: string[] | null; to: string[] | null }[] = [];
  const updates = new MemberUpdates(world.database.sql, {
    readPeople: (ids) => readPeople(world.database.db, ids),
    isHere: (id) => id !== others[1],
    isOpen: (id) => id === busyId,
    openRooms: () => [],
    openDirects: () => [],
    publish: ({ room_id, user_ids }, to) => published.push({ room_id, user_ids, to }),
  });
  for (const id of [first, ...others]) updates.add(id);
  await eventually(() => published.length === 3);
  updates.stop();
  const [room, ...conversations] = published;
  expect(room).toMatchObject({ room_id: busyId, to: null });
  expect(room?.user_ids?.toSorted()).toEqual([first, ...others].toSorted());
  // Only those of them who are connected to this instance receive it.
  expect(conversations.map(({ to }) => to?.toSorted()).toSorted()).toEqual(
    [[first, others[0] as string].toSorted(), [first]].toSorted(),
  );
});

/** A sink whose first read of people fails. */
function failOnce(openId: string, published: string[]) {
  let reads = 0;
  return {
    readPeople(ids: string[]) {
      reads += 1;
      if (reads === 1) throw new Error("the connection was lost");
      return readPeople(world.database.db, ids);
    },
    isHere: () => true,
    isOpen: (id: string) => id === openId,
    openRooms: () => [],
    openDirects: () => [],
    publish: ({ room_id }: { room_id: string }) => void published.push(room_id),
  };
}

test("a failure for rooms does not keep conversations from their update", async () => {
  const [first, second] = await Promise.all(["one", "two"].map((name) => world.person(name)));
  const roomWithBoth = await world.room("failing", owner, [first, second] as Client[]);
  await first?.post("/api/direct", { user_ids: [second?.user.id] });
  const published: string[] = [];
  const updates = new MemberUpdates(world.database.sql, failOnce(roomWithBoth, published));
  updates.add(first?.user.id as string);
  await eventually(() => published.length > 0);
  updates.stop();
  // The room comes later, because what has failed is retried.
  expect(published[0]).not.toBe(roomWithBoth);
});

test("what could not be published is published later", async () => {
  const { user } = await world.person("later");
  const roomWithOne = await world.room("later", owner, []);
  await world.database.sql`insert into memberships (room_id, user_id, role)
    values (${roomWithOne}, ${user.id}, 'member')`;
  const published: string[] = [];
  const updates = new MemberUpdates(world.database.sql, failOnce(roomWithOne, published), 10);
  updates.add(user.id);
  await eventually(() => published.length > 0);
  updates.stop();
  expect(published).toEqual([roomWithOne]);
});

test("the open rooms are not looked for where someone only comes online", async () => {
  const { user } = await world.person("online");
  const roomWithOne = await world.room("online", owner, []);
  await world.database.sql`insert into memberships (room_id, user_id, role)
    values (${roomWithOne}, ${user.id}, 'member')`;
  const published: string[] = [];
  const openRooms = () => {
    throw new Error("looked for the open rooms");
  };
  const updates = new MemberUpdates(world.database.sql, {
    readPeople: (ids) => readPeople(world.database.db, ids),
    isHere: () => true,
    isOpen: (id) => id === roomWithOne,
    openRooms,
    openDirects: () => [],
    publish: ({ room_id }) => void published.push(room_id),
  });
  updates.add(user.id, undefined, true);
  await eventually(() => published.length > 0);
  updates.stop();
  expect(published).toEqual([roomWithOne]);
});

test("an update of who has left a room brings their name where they have written", async () => {
  const [writer, reader] = (await Promise.all(
    ["writer", "reader"].map((name) => world.person(name)),
  )) as [Client, Client];
  for (const one of [writer, reader]) await one.post(`/api/rooms/${roomId}/join`);
  await writer.say(roomId, "goodbye");
  for (const one of [writer, reader]) await one.post(`/api/rooms/${roomId}/leave`);
  const published: unknown[] = [];
  const updates = new MemberUpdates(world.database.sql, {
    readPeople: (ids) => readPeople(world.database.db, ids),
    isHere: () => true,
    isOpen: (id) => id === roomId,
    openRooms: () => [roomId],
    openDirects: () => [],
    publish: ({ room_id, members, former_members }) => {
      const usernames = former_members.map(({ username }) => username);
      published.push({ room_id, members, usernames });
    },
  });
  for (const { user } of [reader, writer]) updates.add(user.id);
  await eventually(() => published.length > 0);
  updates.stop();
  expect(published).toEqual([{ room_id: roomId, members: [], usernames: ["writer"] }]);
});
