import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deleteRoom } from "../../src/rooms/delete.ts";
import { removeMember } from "../../src/rooms/members.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let carol: Client;
/** All three are in `hall`; `open` is open, `both` is ada's and bob's, `adas` is ada's alone. */
let rooms: Record<"hall" | "open" | "both" | "adas", string>;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
  carol = await world.person("carol");
  rooms = {
    hall: await world.room("hall", ada, [bob, carol]),
    open: await world.room("open", ada, [], "open"),
    both: await world.room("both", ada, [bob]),
    adas: await world.room("adas", ada),
  };
});
afterAll(() => world.stop());

const namesOf = (message: { room_references: { name: string }[] }) =>
  message.room_references.map(({ name }) => name);

async function seenBy(client: Client, messageId: string) {
  return namesOf((await client.get(`/api/messages/${messageId}`)).body);
}

describe("a room reference", () => {
  test("is to a room that the sender is in, and is shown to those who may know of it", async () => {
    const socket = await carol.socket();
    const seq = await socket.join(rooms.hall);
    const mine = await ada.say(rooms.hall, "#Open #both #adas #hall #nowhere `#open`");
    expect(mine.room_references).toEqual([
      { room_id: rooms.adas, name: "adas" },
      { room_id: rooms.both, name: "both" },
      { room_id: rooms.hall, name: "hall" },
      { room_id: rooms.open, name: "open" },
    ]);
    expect(await seenBy(ada, mine.id)).toEqual(["adas", "both", "hall", "open"]);
    expect(await seenBy(bob, mine.id)).toEqual(["both", "hall", "open"]);
    expect(await seenBy(carol, mine.id)).toEqual(["hall", "open"]);
    const { body } = await carol.get(`/api/rooms/${rooms.hall}/messages?limit=1`);
    expect(namesOf(body.items[0])).toEqual(["hall", "open"]);
    // What all share names open rooms only.
    expect(namesOf((await socket.next("message")).message)).toEqual(["open"]);
    const changes = await ada.get(`/api/rooms/${rooms.hall}/changes?after=${seq}`);
    expect(namesOf(changes.body.items[0].message)).toEqual(["open"]);
    socket.close();
  });

  test("is nothing where the sender is not in the room, open or not", async () => {
    const message = await carol.say(rooms.hall, "#open #both #adas");
    expect(message.room_references).toEqual([]);
    expect(await seenBy(ada, message.id)).toEqual([]);
  });

  test("in an ack over the socket is the sender's own", async () => {
    const socket = await ada.socket();
    const client_id = crypto.randomUUID();
    socket.send({ type: "message", room_id: rooms.hall, content: "#adas", client_id });
    expect(namesOf((await socket.next("ack")).message)).toEqual(["adas"]);
    socket.close();
  });

  test("counts as nothing unread of its own, and is recomputed by an edit", async () => {
    const { id } = await ada.say(rooms.hall, "#both");
    expect((await bob.get(`/api/rooms/${rooms.both}`)).body.membership).toMatchObject({
      unread: false,
      mention_count: 0,
    });
    const edited = await ada.patch(`/api/messages/${id}`, { content: "#adas now" });
    expect(namesOf(edited.body)).toEqual(["adas"]);
    expect(await seenBy(bob, id)).toEqual([]);
    await ada.patch(`/api/messages/${id}`, { content: "none" });
    expect(await seenBy(ada, id)).toEqual([]);
  });

  test("follows a new name, ends with the membership of the viewer, and with the room", async () => {
    const { db } = world.database;
    const target = await world.room("brief", ada, [bob]);
    const { id } = await ada.say(rooms.hall, "#brief");
    await ada.patch(`/api/rooms/${target}`, { name: "renamed" });
    expect(await seenBy(bob, id)).toEqual(["renamed"]);
    await removeMember(db, ada.user.id, target, bob.user.id);
    expect(await seenBy(bob, id)).toEqual([]);
    expect(await seenBy(ada, id)).toEqual(["renamed"]);
    await deleteRoom(db, ada.user.id, target);
    expect(await seenBy(ada, id)).toEqual([]);
  });
});
