import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectProblem } from "../support/client.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
});
afterAll(() => world.stop());

describe("editing", () => {
  test("replaces the text, says when, and keeps the place", async () => {
    const { member, rooms } = cast;
    const first = await member.say(rooms.secret, "befor");
    const edited = await member.patch(`/api/messages/${first.id}`, { content: "before" });
    expect(edited).toMatchObject({
      status: 200,
      body: { ...first, content: "before", edited_at: expect.any(String) },
    });
    expect((await member.get(`/api/messages/${first.id}`)).body).toEqual(edited.body);
  });

  test("with the same text is no edit", async () => {
    const { member, rooms } = cast;
    const first = await member.say(rooms.secret, "same");
    const edited = await member.patch(`/api/messages/${first.id}`, { content: "same" });
    expect(edited.body.edited_at).toBeNull();
  });

  test("is the author's alone, not even the owner's", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "mine");
    expectProblem(await owner.patch(`/api/messages/${id}`, { content: "x" }), 403, "not_author");
  });

  test("refuses blank text and an archived room", async () => {
    const { owner } = cast;
    const roomId = await world.room("archive-edit", owner);
    const { id } = await owner.say(roomId, "text");
    expectProblem(await owner.patch(`/api/messages/${id}`, { content: " " }), 422, "empty_message");
    await world.archive("archive-edit", true);
    expectProblem(await owner.patch(`/api/messages/${id}`, { content: "x" }), 409, "room_archived");
    expect((await owner.get(`/api/messages/${id}`)).body.content).toBe("text");
  });
});

describe("deleting", () => {
  test("is for the author, the owner and admins, not for other members", async () => {
    const { member, owner, roomAdmin, rooms } = cast;
    const [byAuthor, byAdmin, byOwner, kept] = [
      await member.say(rooms.secret, "1"),
      await member.say(rooms.secret, "2"),
      await member.say(rooms.secret, "3"),
      await owner.say(rooms.secret, "4"),
    ];
    expect((await member.delete(`/api/messages/${byAuthor.id}`)).status).toBe(204);
    expect((await roomAdmin.delete(`/api/messages/${byAdmin.id}`)).status).toBe(204);
    expect((await owner.delete(`/api/messages/${byOwner.id}`)).status).toBe(204);
    expectProblem(await member.delete(`/api/messages/${kept.id}`), 403, "role_required");
    expectProblem(await member.get(`/api/messages/${byOwner.id}`), 404, "message_not_found");
  });

  test("twice is 404 the second time", async () => {
    const { member, rooms } = cast;
    const { id } = await member.say(rooms.secret, "once");
    const answers = await Promise.all([
      member.delete(`/api/messages/${id}`),
      member.delete(`/api/messages/${id}`),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404]);
  });
});

describe("a message in a room that is hidden from the caller", () => {
  test("is refused as one that never was, by every method", async () => {
    const { member, outsider, removed, rooms } = cast;
    const { id } = await member.say(rooms.secret, "secret");
    const never = Bun.randomUUIDv7();
    for (const caller of [outsider, removed]) {
      for (const [method, body] of [["GET"], ["PATCH", { content: "x" }], ["DELETE"]] as const) {
        const real = await caller.call(method, `/api/messages/${id}`, body);
        const unreal = await caller.call(method, `/api/messages/${never}`, body);
        expectProblem(real, 404, "message_not_found");
        expect(real.body).toEqual(unreal.body);
      }
    }
  });

  test("after its author was removed is no longer the author's to change", async () => {
    const { owner } = cast;
    const author = await world.person("leaver");
    const roomId = await world.room("left-behind", owner, [author]);
    const { id } = await author.say(roomId, "mine");
    await owner.delete(`/api/rooms/${roomId}/members/${author.user.id}`);
    expectProblem(
      await author.patch(`/api/messages/${id}`, { content: "x" }),
      404,
      "message_not_found",
    );
    expectProblem(await author.delete(`/api/messages/${id}`), 404, "message_not_found");
  });
});
