import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { noteSilence } from "../../src/rooms/direct/silence.ts";
import type { Service } from "../../src/service.ts";
import { Client, type Json } from "../support/client.ts";
import { sayAndDelete } from "../support/gone-message.ts";
import { World } from "../support/world.ts";

let world: World;
let other: Service;
let people = 0;
beforeAll(async () => {
  world = await World.start();
  // What is found by sweeps need not wait for long.
  other = await world.secondInstance({}, { sweepMs: 250 });
});
afterAll(() => world.stop());

const newcomer = (values = {}) => world.person(`someone-${people++}`, values);
/** The same person at the second instance. */
const there = ({ cookie, user }: Client) => new Client(other.address, cookie, user);
async function open(opener: Client, ...partners: Client[]): Promise<string> {
  const user_ids = partners.map(({ user }) => user.id);
  return (await opener.post("/api/direct", { user_ids })).body.id;
}
const unreadOf = (events: Json[]) => events.filter(({ type }) => type === "unread");

describe("a message in a conversation that is not open", () => {
  test("is unread on all instances, once, and not to others", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const sockets = [await b.socket(), await there(b).socket()];
    const [own, stranger] = [await there(a).socket(), await c.socket()];
    const id = await open(a, b);
    for (const content of ["first", "second"]) {
      const message = await a.say(id, content);
      for (const socket of sockets) {
        expect(await socket.next("unread")).toEqual({
          type: "unread",
          kind: "direct",
          room_id: id,
          message_id: message.id,
          author_id: a.user.id,
          created_at: message.created_at,
          seq: message.seq,
          mention: true,
          thread_id: null,
        });
      }
      expect(await own.next("unread")).toMatchObject({ message_id: message.id, mention: false });
    }
    for (const socket of sockets) expect(unreadOf(await socket.drain())).toEqual([]);
    const heard = await stranger.drain();
    expect(JSON.stringify(heard)).not.toContain(id);
  });

  test("is heard once by a socket that has it open, and is unread for the person's other", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    const [looking, elsewhere] = [await there(b).socket(), await there(b).socket()];
    await looking.join(id);
    const message = await a.say(id, "hello");
    expect(await looking.next("message")).toMatchObject({ message: { id: message.id } });
    expect(await elsewhere.next("unread")).toMatchObject({ message_id: message.id });
    looking.send({ type: "leave", room_id: id });
    await looking.next("left");
    const next = await a.say(id, "again");
    expect(await looking.next("unread")).toMatchObject({ message_id: next.id });
    expect(await elsewhere.next("unread")).toMatchObject({ message_id: next.id });
    expect(looking.heard.filter(({ type }) => type === "message")).toHaveLength(1);
  });

  test("is unread for someone who connects while a partner has it open", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    const looking = await there(a).socket();
    await looking.join(id);
    const late = await there(b).socket();
    const message = await a.say(id, "hello");
    expect(await late.next("unread")).toMatchObject({ message_id: message.id, kind: "direct" });
    await looking.next("message");
    expect(unreadOf(await late.drain())).toEqual([]);
  });

  test("that was missed follows a join with a number", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    const socket = await there(b).socket();
    await a.say(id, "one");
    // The other instance has published it: what follows is not it.
    await socket.next("unread");
    const seq = await socket.join(id);
    socket.send({ type: "leave", room_id: id });
    await a.say(id, "two");
    await socket.join(id, seq);
    expect(await socket.next("message")).toMatchObject({ message: { content: "two" } });
    await a.say(id, "three");
    expect(await socket.next("message")).toMatchObject({ message: { content: "three" } });
  });

  test("that is edited or deleted changes what is unread", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    const socket = await there(b).socket();
    const { id: message_id } = await a.say(id, "hello");
    // An instance that reads the log after the deletion reports the deletion alone.
    await socket.next("unread");
    await a.patch(`/api/messages/${message_id}`, { content: "edited" });
    const changed = { type: "unread_changed", kind: "direct", room_id: id, message_id };
    expect(await socket.next("unread_changed")).toMatchObject({ ...changed, is_deleted: false });
    await a.delete(`/api/messages/${message_id}`);
    expect(await socket.next("unread_changed")).toMatchObject({ ...changed, is_deleted: true });
  });

  test("that was deleted before anyone heard of it is received as deleted, with its time", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    await a.say(id, "heard");
    const socket = await there(b).socket();
    const { id: message_id, created_at, seq } = await sayAndDelete(world, id);
    expect(await socket.next("unread_changed")).toEqual({
      type: "unread_changed",
      kind: "direct",
      room_id: id,
      room_seq: seq,
      message_id,
      is_deleted: true,
      created_at,
    });
  });

  test("whose hint was lost is found by the sweep", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    await a.say(id, "heard");
    const socket = await there(b).socket();
    // As the service writes a message, but without notifying anyone.
    const { sql } = world.database;
    const message = Bun.randomUUIDv7();
    await sql`with room as (
        update rooms set last_seq = last_seq + 1, last_message_at = now() where id = ${id}
        returning last_seq
      ), said as (
        insert into messages (id, room_id, seq, author_id, content)
        select ${message}::uuid, ${id}::uuid, last_seq, ${a.user.id}::uuid, 'lost' from room
      )
      insert into room_log (room_id, seq, type, message_id)
      select ${id}::uuid, last_seq, 'message', ${message}::uuid from room`;
    const isUnread = (event: Json) => event.type === "unread" && event.message_id === message;
    expect(await socket.next(isUnread)).toMatchObject({ kind: "direct" });
  });

  test("is unread for all where it is heard of together with someone new", async () => {
    const [a, b, c, d] = await Promise.all([newcomer(), newcomer(), newcomer(), newcomer()]);
    const id = await open(a, b, c);
    const sockets = [await there(b).socket(), await there(d).socket()];
    const heard = await a.say(id, "heard");
    await sockets[0]?.next((event) => event.type === "unread" && event.message_id === heard.id);
    const { sql } = world.database;
    const message = Bun.randomUUIDv7();
    await sql`with room as (
        update rooms set last_seq = last_seq + 2, last_message_at = now(), member_count = 4
        where id = ${id} returning last_seq
      ), seat as (
        insert into memberships (room_id, user_id, role, is_direct)
        select ${id}::uuid, ${d.user.id}::uuid, 'member', true from room
      ), said as (
        insert into messages (id, room_id, seq, author_id, content)
        select ${message}::uuid, ${id}::uuid, last_seq, ${a.user.id}::uuid, 'both' from room
      ), added as (
        insert into room_log (room_id, seq, type, user_id)
        select ${id}::uuid, last_seq - 1, 'member_added', ${d.user.id}::uuid from room
      )
      insert into room_log (room_id, seq, type, message_id)
      select ${id}::uuid, last_seq, 'message', ${message}::uuid from room`;
    const isUnread = (event: Json) => event.type === "unread" && event.message_id === message;
    for (const socket of sockets)
      expect(await socket.next(isUnread)).toMatchObject({ room_id: id });
  });
});

describe("members", () => {
  test("hear of a conversation, its changes and its end", async () => {
    const [a, b, c, d] = await Promise.all([newcomer(), newcomer(), newcomer(), newcomer()]);
    const sockets = await Promise.all([b, c].map((person) => there(person).socket()));
    const added = await there(d).socket();
    const id = await open(a, b, c);
    for (const socket of sockets) {
      expect(await socket.next("direct_added")).toMatchObject({ direct: { id, kind: "group" } });
    }
    await a.post(`/api/direct/${id}/members`, { user_id: d.user.id });
    expect(await added.next("direct_added")).toMatchObject({ direct: { id } });
    for (const socket of sockets) {
      const { direct } = await socket.next("direct_updated");
      expect(direct.members).toHaveLength(4);
    }
    const message = await a.say(id, "hello d");
    expect(await added.next("unread")).toMatchObject({ message_id: message.id });
    await d.post(`/api/direct/${id}/leave`);
    expect(await added.next("room_removed")).toMatchObject({ room_id: id });
    for (const socket of sockets) {
      const isShrunk = (event: Json) =>
        event.type === "direct_updated" && event.direct.members.length === 3;
      await socket.next(isShrunk);
    }
    await a.say(id, "d has left");
    await sockets[0]?.next((event) => event.type === "unread" && event.seq > message.seq);
    expect(unreadOf(await added.drain())).toEqual([]);
  });

  test("who leave with it open hear nothing more", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const id = await open(a, b, c);
    const leaving = await there(c).socket();
    await leaving.join(id);
    await c.post(`/api/direct/${id}/leave`);
    expect(await leaving.next("room_removed")).toMatchObject({ room_id: id });
    const staying = await there(b).socket();
    await staying.join(id);
    await a.say(id, "gone?");
    await staying.next("message");
    const heard = await leaving.drain();
    expect(heard.filter(({ type }) => type === "message" || type === "unread")).toEqual([]);
    expect(leaving.heard.filter(({ type }) => type === "room_removed")).toHaveLength(1);
  });

  test("have a room when it was made one, where they have it open too", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const id = await open(a, b, c);
    const [looking, away] = [await there(b).socket(), await there(c).socket()];
    await looking.join(id);
    await a.post(`/api/direct/${id}/room`, { name: `made-${people++}` });
    for (const socket of [looking, away]) {
      expect(await socket.next("room_added")).toMatchObject({ room: { id } });
    }
    expect(await looking.next("room_updated")).toMatchObject({ room_id: id });
    const message = await a.say(id, "in the room");
    expect(await looking.next("message")).toMatchObject({ message: { id: message.id } });
    expect(await away.next("unread")).toMatchObject({ kind: "room", message_id: message.id });
    expect(unreadOf(await looking.drain())).toEqual([]);
  });

  test("hear of their own settings, and of a partner's end and return", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const id = await open(a, b);
    const [mine, theirs] = [await there(a).socket(), await there(b).socket()];
    await a.patch(`/api/rooms/${id}/membership`, { notify: "none" });
    const { direct } = await mine.next("direct_updated");
    expect(direct.membership.notify).toBe("none");
    expect((await theirs.drain()).filter(({ type }) => type === "direct_updated")).toEqual([]);
    await a.say(id, "read me");
    await theirs.next("unread");
    await b.post(`/api/rooms/${id}/read`, {});
    expect(await theirs.next("read")).toMatchObject({ room_id: id, unread_count: 0 });
    for (const [change, is_closed] of [
      [deactivateUser, true],
      [reactivateUser, false],
    ] as const) {
      await world.administer(b.user.username, change);
      const event = await mine.next("direct_updated");
      expect(event.direct).toMatchObject({ id, is_closed });
      expect(event.direct.membership.version).toBeGreaterThan(direct.membership.version);
    }
  });

  test("see who is online and who is typing; nobody else does", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const id = await open(a, b);
    const [watching, stranger] = [await there(a).socket(), await there(c).socket()];
    const partner = await b.socket();
    const isPartner = (event: Json) =>
      event.type === "member_updated" && event.user_ids.includes(b.user.id);
    expect(await watching.next(isPartner)).toMatchObject({ room_id: id });
    await watching.join(id);
    await partner.join(id);
    partner.send({ type: "typing", room_id: id });
    expect(await watching.next("typing")).toMatchObject({ room_id: id, user_id: b.user.id });
    const heard = await stranger.drain();
    expect(heard.filter(({ type }) => type === "typing" || type === "member_updated")).toEqual([]);
  });

  test("of a group see who is online without having it open, once", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const group = await open(a, b, c);
    const watching = await there(a).socket();
    const isOf = (one: Client, status: string) => (event: Json) =>
      event.type === "member_updated" &&
      event.room_id === group &&
      event.members.some(
        (member: Json) => member.user.id === one.user.id && member.status === status,
      );
    const second = await b.socket();
    const { members } = await watching.next(isOf(b, "online"));
    const { body } = await a.get(`/api/direct/${group}`);
    const [{ user, status }] = members;
    expect(body.members).toContainEqual({ user, status });
    // Where it is open too, it is the same event, and no second one.
    await watching.join(group);
    await b.patch("/api/auth/me", { display_name: "Bert" });
    const isBert = (event: Json) =>
      event.type === "member_updated" && JSON.stringify(event).includes("Bert");
    await watching.next(isBert);
    await c.socket();
    for (const socket of [watching, second]) await socket.next(isOf(c, "online"));
    expect(watching.heard.filter(isBert)).toHaveLength(1);
  });

  test("of a silent conversation see who is online while they have it open", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const [pair, group, active] = [await open(a, b), await open(a, b, c), await open(b, c)];
    const { sql } = world.database;
    await sql`update rooms set created_at = now() - interval '60 days'
      where id = any(${[pair, group]}::uuid[])`;
    await noteSilence(sql, new AbortController().signal);
    const [watching, partner] = [await there(a).socket(), await there(c).socket()];
    const named = (room_id: string, name: string) => (event: Json) =>
      event.type === "member_updated" &&
      event.room_id === room_id &&
      event.members.some(({ user }: Json) => user.display_name === name);
    for (const id of [pair, group]) await watching.join(id);
    await b.patch("/api/auth/me", { display_name: "Berta" });
    for (const id of [pair, group]) await watching.next(named(id, "Berta"));
    await partner.next(named(active, "Berta"));
    const isSilent = ({ type, room_id }: Json) => type === "member_updated" && room_id !== active;
    expect((await partner.drain()).filter(isSilent)).toEqual([]);
    await b.say(group, "I am back");
    await b.patch("/api/auth/me", { display_name: "Bertha" });
    await partner.next(named(group, "Bertha"));
  });

  test("stay silent after a message that is answered from before, and not after a new one", async () => {
    const [a, b] = await Promise.all([newcomer(), newcomer()]);
    const id = await open(a, b);
    const { sql } = world.database;
    const repeated = { content: "once", client_id: Bun.randomUUIDv7() };
    await a.post(`/api/rooms/${id}/messages`, repeated);
    await sql`update rooms set last_message_at = now() - interval '60 days' where id = ${id}`;
    await noteSilence(sql, new AbortController().signal);
    const isSilent = async () => {
      const rows = await sql<{ is_silent: boolean }[]>`
        select distinct is_silent from memberships where room_id = ${id}`;
      return rows.map(({ is_silent }) => is_silent);
    };
    await a.post(`/api/rooms/${id}/messages`, repeated);
    expect(await isSilent()).toEqual([true]);
    await b.say(id, "a new one");
    expect(await isSilent()).toEqual([false]);
  });
});

describe("a conversation that is followed", () => {
  test("sends nothing to someone who connected after it was followed, once they have left", async () => {
    for (const at of [(client: Client) => client, there]) {
      const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
      const id = await open(a, b, c);
      const looking = await at(a).socket();
      await looking.join(id);
      const leaver = await at(c).socket();
      await c.post(`/api/direct/${id}/leave`);
      await leaver.next("room_removed");
      const message = await a.say(id, "for those who are in it");
      expect(await looking.next("message")).toMatchObject({ message: { id: message.id } });
      expect(unreadOf(await leaver.drain())).toEqual([]);
    }
  });

  test("sends what was posted just before someone opened it, although no notification came", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const id = await open(a, b, c);
    const [waiting, opener] = [await there(b).socket(), await there(c).socket()];
    const message = Bun.randomUUIDv7();
    await world.database.sql`
      with room as (
        update rooms set last_seq = last_seq + 1 where id = ${id} returning last_seq
      ), said as (
        insert into messages (id, room_id, seq, author_id, content)
        select ${message}::uuid, ${id}::uuid, last_seq, ${a.user.id}::uuid, 'hello' from room
      )
      insert into room_log (room_id, seq, type, message_id)
      select ${id}::uuid, last_seq, 'message', ${message}::uuid from room`;
    await opener.join(id);
    expect(await waiting.next("unread")).toMatchObject({ message_id: message });
  });

  test("is announced as a room once it is one, although its signal was lost", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const id = await open(a, b, c);
    const socket = await there(b).socket();
    await a.say(id, "hello");
    await socket.next("unread");
    await world.database.sql`
      with room as (
        update rooms set last_seq = last_seq + 1, kind = 'room', direct_kind = null,
          direct_key = null, name = 'was-direct', privacy = 'private'
        where id = ${id} returning last_seq
      ), members as (
        update memberships set is_direct = false,
          role = case when user_id = ${a.user.id} then 'owner' else 'admin' end
        where room_id = ${id}
      )
      insert into room_log (room_id, seq, type) select ${id}::uuid, last_seq, 'room_updated' from room`;
    expect(await socket.next("room_added")).toMatchObject({ room: { id, name: "was-direct" } });
  });
});
