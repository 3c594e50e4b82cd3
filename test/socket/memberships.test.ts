import { expect, test } from "bun:test";
import type { Feed } from "../../src/feed/feed.ts";
import { Hub } from "../../src/socket/hub.ts";
import { syncRooms } from "../../src/socket/memberships.ts";
import { Sender } from "../../src/socket/sender.ts";
import type { Person, Socket } from "../../src/socket/socket.ts";

const feed = { follow: (roomId: string) => roomId, unfollow() {} } as unknown as Feed;
const none = { note() {}, opened() {}, closed() {} };
const people = new Map<string, Person>();
const hub = new Hub(people, new Sender(people), none, none, {} as never, () => feed);

test("rooms that were read before someone was removed from one are read again", async () => {
  const data = { userId: "ada", isGreeted: false };
  const socket = { data, isSubscribed: () => false, unsubscribe() {} } as unknown as Socket;
  const person = hub.addSocket(socket);
  hub.addRoom(person, "left", 1);
  const read = async () => {
    if (!person.rooms.has("left")) return new Map([["stayed", 3]]);
    // The removal commits, and is published, after the database was read and before the answer is here.
    const stale = new Map([...person.rooms, ["stayed", 2] as const]);
    hub.removeMember("ada", "left", 2);
    return stale;
  };
  expect(await syncRooms(feed, hub, person, read)).toEqual(["stayed"]);
  expect([...person.rooms]).toEqual([["stayed", 3]]);
});
