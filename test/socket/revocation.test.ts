import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, setUserPassword } from "../../src/accounts/administer.ts";
import { addMembership, removeMembership } from "../../src/rooms/membership.ts";
import type { Service } from "../../src/service.ts";
import type { Client } from "../support/client.ts";
import type { TestSocket } from "../support/socket.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
let second: Service;
let owner: Client;
beforeAll(async () => {
  world = await World.start();
  second = await world.secondInstance();
  owner = await world.person("owner");
});
afterAll(() => world.stop());

/** A member with a socket on each of two instances, each on a session of its own, in the room. */
async function memberOnBoth(name: string, roomName: string) {
  const member = await world.person(name);
  const elsewhere = await world.signIn(member.user, second);
  const roomId = await world.room(roomName, owner, [member], "open");
  const sockets: [TestSocket, TestSocket] = [await member.socket(), await elsewhere.socket()];
  for (const socket of sockets) await socket.join(roomId);
  return { member, elsewhere, roomId, sockets };
}

const inRoom = (roomId: string) => (event: { room_id?: string; type: string }) =>
  event.room_id === roomId && ["message", "unread", "message_update"].includes(event.type);

describe("on every instance, at once", () => {
  test("a removed member receives the removal and nothing after it", async () => {
    const { member, roomId, sockets } = await memberOnBoth("removed", "of-removal");
    const last = await owner.say(roomId, "before");
    await owner.delete(`/api/rooms/${roomId}/members/${member.user.id}`);
    await owner.say(roomId, "after");
    for (const socket of sockets) {
      expect(await socket.next("room_removed")).toEqual({
        type: "room_removed",
        room_id: roomId,
        room_seq: last.seq + 1,
      });
      expect(await socket.next("member_removed")).toMatchObject({
        seq: last.seq + 1,
        user_id: member.user.id,
      });
      const heard = (await socket.drain()).filter(inRoom(roomId));
      expect(heard.map((event) => event.message?.content)).toEqual(["before"]);
    }
    const again = sockets[0];
    again.send({ type: "join", room_id: roomId, seq: 0 });
    expect(await again.next("error")).toMatchObject({ code: "not_a_member" });
  });

  test("someone who is removed before they were announced learns that they are", async () => {
    const person = await world.person("brief");
    const elsewhere = await world.signIn(person.user, second);
    const roomId = await world.room("of-brevity", owner);
    const sockets = [await person.socket(), await elsewhere.socket()];
    await world.database.db.transaction(async (tx) => {
      await addMembership(tx, roomId, person.user.id, "member", owner.user.id);
      await removeMembership(tx, roomId, person.user.id, owner.user.id);
    });
    for (const socket of sockets) {
      expect(await socket.next("room_removed")).toMatchObject({ room_id: roomId, room_seq: null });
    }
  });

  test("a member who leaves receives nothing, until joining again", async () => {
    const { member, roomId, sockets } = await memberOnBoth("leaver", "of-leaving");
    await member.post(`/api/rooms/${roomId}/leave`);
    for (const socket of sockets) await socket.next("room_removed");
    await owner.say(roomId, "while away");
    await member.post(`/api/rooms/${roomId}/join`);
    for (const socket of sockets) {
      expect(await socket.next("room_added")).toMatchObject({ room: { id: roomId } });
      await socket.join(roomId);
    }
    await owner.say(roomId, "welcome back");
    for (const socket of sockets) {
      const event = await socket.next(inRoom(roomId));
      expect(event.message.content).toBe("welcome back");
    }
  });

  test("a deleted room is taken from everyone", async () => {
    const { roomId, sockets } = await memberOnBoth("bystander", "of-deletion");
    await owner.delete(`/api/rooms/${roomId}`);
    for (const socket of sockets) {
      expect(await socket.next("room_removed")).toEqual({
        type: "room_removed",
        room_id: roomId,
        room_seq: null,
      });
    }
  });

  test("a deactivated user's sockets close with 4401, and the session is worth nothing", async () => {
    const { member, sockets } = await memberOnBoth("sacked", "of-deactivation");
    await world.administer("sacked", deactivateUser);
    for (const socket of sockets) expect((await socket.closing()).code).toBe(4401);
    expect((await member.get("/api/auth/me")).status).toBe(401);
  });

  test("a reset password closes all of the user's sockets", async () => {
    const { sockets } = await memberOnBoth("forgetful", "of-reset");
    await world.administer("forgetful", (tx, actor, user) =>
      setUserPassword(tx, actor, user, "another hash"),
    );
    for (const socket of sockets) expect((await socket.closing()).code).toBe(4401);
  });

  test("logging out closes the sockets of that session only", async () => {
    const { elsewhere, sockets } = await memberOnBoth("two-homes", "of-logout");
    await elsewhere.post("/api/auth/logout");
    expect((await sockets[1].closing()).code).toBe(4401);
    expect(sockets[0].closed).toBeNull();
    await sockets[0].drain();
  });

  test("changing the password closes the other sessions' sockets, not the caller's", async () => {
    const { member, sockets } = await memberOnBoth("careful", "of-change");
    const body = { current_password: PASSWORD, new_password: "a better password" };
    expect((await member.put("/api/auth/me/password", body)).status).toBe(204);
    expect((await sockets[1].closing()).code).toBe(4401);
    await sockets[0].drain();
    expect(sockets[0].closed).toBeNull();
  });
});
