import { expect, test } from "bun:test";
import type { Database } from "../../src/database/connect.ts";
import type { Feed } from "../../src/feed/feed.ts";
import { ConnectionRegistry } from "../../src/socket/connection-registry.ts";
import { syncRooms } from "../../src/socket/memberships.ts";
import { Broadcaster } from "../../src/socket/broadcaster.ts";
import type { Person, Socket } from "../../src/socket/socket.ts";

const feed = { follow: (roomId: string) => roomId, unfollow() {} } as unknown as Feed;
const database = {} as Database;
const none = { onRoomOpen() {}, onRoomClose() {} };
const people = new Map<string, Person>();
const connections = new ConnectionRegistry(
  people,
  new Broadcaster(people),
  none,
  {} as never,
  () => feed,
);

test("rooms that were read before someone was removed from one are read again", async () => {
  const data = { id: "ada", token: null, isGreeted: false };
  const socket = { data, isSubscribed: () => false, unsubscribe() {} } as unknown as Socket;
  const person = connections.addSocket(socket);
  connections.addRoom(person, "left", 1);
  const read = async () => {
    if (!person.rooms.has("left")) return new Map([["stayed", 3]]);
    // The removal commits, and is published, after the database was read and before the answer is here.
    const stale = new Map([...person.rooms, ["stayed", 2] as const]);
    connections.removeMember("ada", "left", 2);
    return stale;
  };
  expect(await syncRooms({ database, feed, connections }, person, read)).toEqual(["stayed"]);
  expect([...person.rooms]).toEqual([["stayed", 3]]);
});

test("a conversation is followed for its members who are here until it has been quiet", async () => {
  const topics = new Set<string>();
  const data = { id: "bea", token: null, isGreeted: true };
  const socket = {
    data,
    isSubscribed: (topic: string) => topics.has(topic),
    subscribe: (topic: string) => topics.add(topic),
    unsubscribe: (topic: string) => topics.delete(topic),
  } as unknown as Socket;
  const person = connections.addSocket(socket);
  connections.followConversation("elsewhere", ["cy", "dee"], 4, 3);
  connections.followConversation("pair", ["bea", "cy"], 4, 3);
  expect([...connections.conversations.keys()]).toEqual(["pair"]);
  expect([...person.rooms]).toEqual([["pair", 4]]);
  expect(topics.size).toBe(1);
  connections.forgetConversations(Date.now() - 60_000);
  expect(person.rooms.size).toBe(1);
  connections.forgetConversations(Date.now() + 1);
  expect([connections.conversations.size, person.rooms.size, topics.size]).toEqual([0, 0, 0]);
});

test("a conversation that becomes a room while rooms are read stays, as a new room", async () => {
  const data = { id: "eve", token: null, isGreeted: false };
  const socket = { data, isSubscribed: () => false, unsubscribe() {} } as unknown as Socket;
  const person = connections.addSocket(socket);
  connections.followConversation("group", ["eve", "fay"], 4, 3);
  const read = async () => {
    if (!connections.conversations.has("group")) return new Map([["group", 5]]);
    connections.endConversation("group");
    return new Map<string, number>();
  };
  expect(await syncRooms({ database, feed, connections }, person, read)).toEqual(["group"]);
  expect([...person.rooms]).toEqual([["group", 5]]);
});
