import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { insertKeywordHits } from "../../src/activity/keywords.ts";
import { lockMembership } from "../../src/rooms/access.ts";
import { deleteLockedRoom } from "../../src/rooms/delete.ts";
import { blocksAnother, commitDuring } from "../support/blocked.ts";
import { expectProblem } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { inMinutes, setStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.stop());

/** Deletes a room of the owner while `request` is under way. */
const deleteRoomDuring = <T>(roomId: string, request: () => Promise<T>) =>
  commitDuring(
    stage.world,
    async (tx) => {
      const { room } = await lockMembership(tx, stage.owner.user.id, roomId, "owner");
      await deleteLockedRoom(tx, room);
    },
    request,
  );

/** Deletes a message without its uploads, as the service does, while `request` is under way. */
const deleteDuring = <T>(id: string, request: () => Promise<T>) =>
  commitDuring(stage.world, (tx) => tx.execute(`delete from messages where id = '${id}'`), request);

describe("a message that is deleted while it", () => {
  test("is saved is not found", async () => {
    const { ada, roomId } = stage;
    const { id } = await ada.say(roomId, "short-lived");
    const answer = await deleteDuring(id, () => ada.put(`/api/saved/${id}`, {}));
    expectProblem(answer, 404, "message_not_found");
  });

  test("is saved, and has replies, is not saved", async () => {
    const { ada, ben, roomId } = stage;
    const { sql } = stage.world.database;
    const { id } = await ada.say(roomId, "root");
    await ada.say(roomId, "reply", { thread_id: id });
    let isDeleted = false;
    const answers: Promise<unknown>[] = [];
    await sql.begin(async (tx) => {
      // Another page saves it, and keeps this one waiting at its last step.
      await tx`insert into saved_messages (user_id, message_id, room_id)
        values (${ben.user.id}, ${id}, ${roomId})`;
      const [self] = await tx`select pg_backend_pid() as pid`;
      answers.push(ben.put(`/api/saved/${id}`, {}));
      await eventually(() => blocksAnother(sql, self?.pid));
      const deletion = ada.delete(`/api/messages/${id}`).finally(() => {
        isDeleted = true;
      });
      answers.push(deletion);
      await eventually(async () => {
        const waiting = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return isDeleted || waiting.length === 2;
      });
      await tx`delete from saved_messages where message_id = ${id}`;
    });
    await Promise.all(answers);
    expect(await sql`select from saved_messages where message_id = ${id}`).toHaveLength(0);
  });

  test("is searched for keywords leaves those of other messages", async () => {
    const { ada, ben, roomId, world } = stage;
    const [gone, stays] = await Promise.all(["gone", "stays"].map((it) => ada.say(roomId, it)));
    const matches = [gone, stays].map(({ id }) => ({ messageId: id, userId: ben.user.id }));
    await deleteDuring(gone.id, () => insertKeywordHits(world.database.sql, matches));
    const hits = await world.database.sql`select message_id as id from keyword_hits`;
    expect(hits.map(({ id }) => id)).toEqual([stays.id]);
  });
});

describe("a room that is deleted while", () => {
  test("a draft is saved in it is not found", async () => {
    const { id } = await stage.newRoom();
    const body = { room_id: id, content: "unsent", base_version: 0 };
    const answer = await deleteRoomDuring(id, () => stage.ada.put("/api/drafts", body));
    expectProblem(answer, 404, "room_not_found");
  });

  test("a message is scheduled in it is not found", async () => {
    const { id } = await stage.newRoom();
    const body = { room_id: id, content: "later", send_at: inMinutes(5), zone: "UTC" };
    const answer = await deleteRoomDuring(id, () => stage.ada.post("/api/scheduled", body));
    expectProblem(answer, 404, "room_not_found");
  });

  test("someone is invited to it is refused", async () => {
    const { id } = await stage.newRoom();
    const admin = await stage.world.person("admin", { isSiteAdmin: true });
    const body = { email: "new@example.com", room_ids: [id] };
    const answer = await deleteRoomDuring(id, () => admin.post("/api/admin/invites", body));
    expectProblem(answer, 422, "validation");
  });

  test("a message names it is only a name", async () => {
    const { ada, roomId } = stage;
    const { id, name } = await stage.newRoom();
    const message = await deleteRoomDuring(id, () => ada.say(roomId, `see #${name}`));
    expect(message).toMatchObject({ content: `see #${name}`, room_references: [] });
  });

  test("an edit names it is only a name", async () => {
    const { ada, roomId } = stage;
    const { id, name } = await stage.newRoom();
    const message = await ada.say(roomId, "see");
    const body = { content: `see #${name}` };
    const answer = await deleteRoomDuring(id, () => ada.patch(`/api/messages/${message.id}`, body));
    expect(answer.status).toBe(200);
  });
});
