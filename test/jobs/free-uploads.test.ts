import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { pruneUploads } from "../../jobs/prune.ts";
import { openStore } from "../../src/platform/storage/open.ts";
import type { Storage } from "../../src/platform/storage/storage.ts";
import { storeBytes, linkBlobs } from "../../src/uploads/blobs.ts";
import { removeBlobs } from "../../src/uploads/remove.ts";
import { picture } from "../support/images.ts";
import { Place } from "../uploads/support.ts";
import { eventually } from "../support/wait.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
beforeEach(async () => {
  await place.sql`delete from messages`;
  await place.sql`delete from message_images`;
  await place.sql`delete from message_files`;
  await age("2 hours");
  await free();
});
afterAll(() => place.close());

const store = () => openStore({ dataDir: place.world.settings.DATA_DIR, s3: null });
const ever = new AbortController().signal;
const free = (storage: Storage = store().storage) =>
  pruneUploads(place.world.database, storage, ever);

/** Makes everything that is stored older. */
async function age(by: string): Promise<void> {
  await place.sql`update blobs set touched_at = touched_at - ${by}::interval`;
  await place.sql`update message_images set created_at = created_at - ${by}::interval`;
  await place.sql`update message_files set created_at = created_at - ${by}::interval`;
}

const text = (value: string) => new TextEncoder().encode(value);
const sendFile = async (value: string, path = place.files) =>
  (await place.owner.upload(path, text(value), value)).body;
const sendImage = async (path = place.images) =>
  (await place.owner.upload(path, await picture("png", 800, 100))).body;

/** A message that uses an upload. */
async function post(roomId: string, column: "image_id" | "file_id", id: string): Promise<string> {
  const message = await place.owner.say(roomId, "look");
  await place.sql`update messages set ${place.sql(column)} = ${id} where id = ${message.id}`;
  return message.id;
}

async function named(): Promise<number> {
  const [row] = await place.sql<{ count: number }[]>`
    select (select count(*) from message_images) + (select count(*) from message_files) as count`;
  return row?.count ?? -1;
}

describe("an upload", () => {
  test("that no message has used for 24 hours is deleted, with its bytes", async () => {
    await sendFile("old");
    await sendImage();
    await age("24 hours 1 minute");
    await sendFile("young");
    await free();
    const rows = await place.sql`select name from message_files`;
    expect(rows.map((row) => row.name)).toEqual(["young"]);
    expect(await place.kept()).toEqual([
      new Bun.CryptoHasher("sha256").update("young").digest("hex"),
    ]);
  });

  test("that a message uses stays, however old", async () => {
    const file = await sendFile("used");
    const image = await sendImage();
    await post(place.roomId, "file_id", file.id);
    await post(place.roomId, "image_id", image.id);
    await age("90 days");
    await free();
    for (const path of [file.url, image.url, `${image.url}?size=thumb`]) {
      expect((await place.read(path)).status).toBe(200);
    }
  });

  test("is deleted with its message", async () => {
    const file = await sendFile("deleted");
    const message = await post(place.roomId, "file_id", file.id);
    await place.owner.delete(`/api/messages/${message}`);
    await eventuallyGone();
    expect(await named()).toBe(0);
  });
});

describe("bytes", () => {
  test("of a room that is deleted are removed, messages and all", async () => {
    const { world, owner } = place;
    const room = await world.room("gone", owner);
    const image = await sendImage(`/api/rooms/${room}/images`);
    const file = await sendFile("gone", `/api/rooms/${room}/files`);
    await post(room, "image_id", image.id);
    await post(room, "file_id", file.id);
    expect((await owner.delete(`/api/rooms/${room}`)).status).toBe(204);
    expect((await place.read(file.url, {}, owner)).status).toBe(404);
    await age("61 minutes");
    await free();
    expect([await named(), await place.kept()]).toEqual([0, []]);
  });

  test("that another room names as well stay", async () => {
    const { world, owner } = place;
    const room = await world.room("twin", owner);
    await sendFile("twice", `/api/rooms/${room}/files`);
    const file = await sendFile("twice");
    await owner.delete(`/api/rooms/${room}`);
    await age("2 hours");
    await free();
    expect((await place.read(file.url)).status).toBe(200);
  });

  test("of a preview's picture stay while the preview does", async () => {
    const { sha256 } = await storeBytes(place.world.database.db, store(), text("picture"));
    await place.sql`insert into link_previews (url_hash, url, image_sha256, expires_at)
      values (${sha256}, 'https://example.org/', ${sha256}, clock_timestamp())`;
    await age("2 hours");
    await free();
    expect(await place.kept()).toEqual([sha256.toString("hex")]);
    await place.sql`delete from link_previews`;
    await free();
    expect(await place.kept()).toEqual([]);
  });

  test("that nothing names yet stay for an hour", async () => {
    await storeBytes(place.world.database.db, store(), text("early"));
    await age("59 minutes");
    await free();
    expect(await place.kept()).toHaveLength(1);
  });

  test("that are more than one slice are all removed", async () => {
    const { storage } = store();
    await place.sql`insert into blobs (sha256, size_bytes, touched_at)
      select sha256(n::text::bytea), 1, clock_timestamp() - interval '2 hours'
      from generate_series(1, 1001) as n`;
    const removed: string[] = [];
    await free({ ...storage, remove: async (key) => void removed.push(key) });
    expect(new Set(removed).size).toBe(1_001);
    expect(await place.sql`select from blobs`).toHaveLength(0);
  });

  test("whose removal fails are retried", async () => {
    await storeBytes(place.world.database.db, store(), text("stuck"));
    await age("2 hours");
    const stuck = { ...store().storage, remove: () => Promise.reject(new Error("stuck")) };
    await expect(free(stuck)).rejects.toThrow("stuck");
    expect(await place.sql`select from blobs`).toHaveLength(1);
    await free();
    expect(await place.kept()).toEqual([]);
  });

  test("that come again while they are removed are there afterwards", async () => {
    await sendFile("again");
    await place.sql`delete from message_files`;
    await age("2 hours");
    const { storage } = store();
    let upload: Promise<{ url: string }> | undefined;
    await free({
      ...storage,
      async remove(key) {
        // The upload has to wait while the row is claimed, or it would be lost.
        upload = sendFile("again");
        await eventuallyTried(new Date());
        expect(await transactionsThatWait()).toBe(0);
        expect(await place.sql`select from blobs where removing_at is null`).toHaveLength(0);
        await storage.remove(key);
      },
    });
    const file = await upload;
    expect((await place.read(file?.url ?? "")).status).toBe(200);
    await free();
    expect((await place.read(file?.url ?? "")).status).toBe(200);
  });

  test("that someone has uploaded again stay when their last message goes", async () => {
    const { db } = place.world.database;
    await sendFile("both");
    const { sha256 } = await storeBytes(db, store(), text("both"));
    await place.sql`delete from message_files`;
    await removeBlobs(db, store().storage, [sha256.toString("hex")]);
    expect(await place.kept()).toHaveLength(1);
  });

  test("that a crashed process has claimed are removed, or come again", async () => {
    await storeBytes(place.world.database.db, store(), text("claimed"));
    await sendFile("wanted");
    await place.sql`delete from message_files`;
    await age("2 hours");
    const claim = (minutes: number) => place.sql`
      update blobs set removing_at = clock_timestamp() - ${minutes} * interval '1 minute'`;
    await claim(9);
    await free();
    expect(await place.kept()).toHaveLength(2);
    await claim(11);
    const file = await sendFile("wanted");
    await free();
    expect((await place.read(file.url)).status).toBe(200);
    expect(await place.kept()).toHaveLength(1);
  });

  test("that are being removed cannot be named", async () => {
    const { sha256 } = await storeBytes(place.world.database.db, store(), text("going"));
    await place.sql`update blobs set removing_at = clock_timestamp()`;
    const { db } = place.world.database;
    const naming = db.transaction((tx) => linkBlobs(tx, [sha256]));
    await expect(naming).rejects.toThrow("unavailable");
    await place.sql`update blobs set removing_at = null`;
  });

  test("that come again after an hour are not removed before they are named", async () => {
    await sendFile("late");
    await place.sql`delete from message_files`;
    await age("2 hours");
    await storeBytes(place.world.database.db, store(), text("late"));
    await free();
    expect(await place.kept()).toHaveLength(1);
  });
});

/** Until a job has removed all bytes. */
async function eventuallyGone(): Promise<void> {
  await eventually(async () => (await place.kept()).length === 0);
}

/** Until an upload has come to its row since then. */
async function eventuallyTried(since: Date): Promise<void> {
  const read = () => place.sql`select from pg_stat_activity
    where query like '%insert into "blobs"%' and state = 'idle' and datname = current_database()
      and query_start > ${since} and pid <> pg_backend_pid()`;
  await eventually(async () => (await read()).count > 0);
}

/** Transactions that are open while nothing of them runs. */
async function transactionsThatWait(): Promise<number> {
  const rows = await place.sql`select from pg_stat_activity
    where state like 'idle in transaction%' and datname = current_database()`;
  return rows.length;
}
