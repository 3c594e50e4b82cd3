import { afterAll, beforeAll, expect, test } from "bun:test";
import { deleteUnusedUploads } from "../../src/uploads/unused.ts";
import { PNG } from "../support/images.ts";
import { inMinutes, passTime, setStage, type Stage, untilDone } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.stop());

/** Uploads of Ada's, a day old. */
async function upload(kind: "image" | "file"): Promise<string> {
  const path = `/api/rooms/${stage.roomId}/${kind}s`;
  return (await stage.ada.upload(path, PNG)).body.id;
}
async function sweep(): Promise<string[]> {
  const { db, sql } = stage.world.database;
  await sql`update message_images set created_at = now() - interval '25 hours'`;
  await sql`update message_files set created_at = now() - interval '25 hours'`;
  await deleteUnusedUploads(db);
  const rows = await sql<{ id: string }[]>`
    select id from message_images union all select id from message_files`;
  return rows.map(({ id }) => id);
}

test("uploads that a draft or a scheduled message names outlive the day, and go with it", async () => {
  const { ada, ben, roomId, world } = stage;
  const [drafted, planned] = [await upload("image"), await upload("image")];
  const [file, plannedFile, unused] = [
    await upload("file"),
    await upload("file"),
    await upload("file"),
  ];
  const draft = { room_id: roomId, content: null, image_id: drafted, file_id: file };
  const saved = await ada.put("/api/drafts", { ...draft, base_version: 0 });
  expect(saved.body).toEqual({ version: 1 });
  const [shown] = (await ada.get("/api/drafts")).body.items;
  expect([shown.image.id, shown.file.id]).toEqual([drafted, file]);
  const plan = { room_id: roomId, send_at: inMinutes(60), zone: "UTC" };
  const body = { ...plan, image_id: planned, file_id: plannedFile };
  const { id } = (await ada.post("/api/scheduled", body)).body;
  // Another person's row keeps nothing of hers.
  const stolen = await ben.put("/api/drafts", { ...draft, base_version: 0, file_id: unused });
  expect(stolen.body.code).toBe("unknown_upload");
  const keys = await sweep();
  expect(keys.toSorted()).toEqual([drafted, planned, file, plannedFile].toSorted());
  // They do not count among those that a person has and no message uses.
  const { sql } = world.database;
  await sql`update message_files set created_at = now() where id = ${file}`;
  await ada.put("/api/drafts", { room_id: roomId, base_version: 1, content: null });
  expect((await sweep()).toSorted()).toEqual([planned, plannedFile].toSorted());
  await passTime(world, 120);
  await untilDone(world, "send_scheduled");
  const sent = (await ada.get("/api/scheduled")).body.items[0];
  expect(sent).toMatchObject({ id, state: "sent", image: { id: planned } });
  const message = (await ben.get(`/api/messages/${sent.message_id}`)).body;
  expect([message.image.id, message.file.id]).toEqual([planned, plannedFile]);
});
