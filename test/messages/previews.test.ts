import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
  roomId = await world.room("links", ada, [bob]);
  // Jobs are gone once they are done: what was queued is written down.
  await world.database.sql`create table queued (payload jsonb)`;
  await world.database.sql`create function write_down() returns trigger language plpgsql as $$ begin
    insert into queued values (new.payload); return new; end $$`;
  await world.database.sql`create trigger jobs_queued after insert on jobs for each row
    when (new.kind = 'link_preview') execute function write_down()`;
});
afterAll(() => world.stop());

/** What is known of a URL, for a while. */
async function known(url: string, fields: object = {}): Promise<void> {
  const row = { title: null, description: null, site_name: null, is_image: false, ...fields };
  if ("image_sha256" in row) {
    await world.database.sql`
      insert into blobs (sha256, size_bytes) values (${row.image_sha256 as Buffer}, 1)`;
  }
  await world.database.sql`
    insert into link_previews ${world.database.sql({
      url,
      url_hash: Buffer.from(new Bun.CryptoHasher("sha256").update(url).digest()),
      expires_at: new Date(Date.now() + 3_600_000),
      ...row,
    })}`;
}

async function queuedFor(messageId: string): Promise<string[]> {
  const rows = await world.database.sql<{ url: string }[]>`
    select payload->>'url' as url from queued where payload->>'messageId' = ${messageId}`;
  return rows.map(({ url }) => url);
}

describe("a message with a URL", () => {
  test("names its first one and queues a preview of it, others do neither", async () => {
    const first = await ada.say(roomId, "see [this](https://a.invalid/1) and https://a.invalid/2");
    expect(first).toMatchObject({ preview_url: "https://a.invalid/1", preview: null });
    expect(await queuedFor(first.id)).toEqual(["https://a.invalid/1"]);
    const code = await ada.say(roomId, "`https://a.invalid/3`");
    expect(code.preview_url).toBeNull();
    expect(await queuedFor(code.id)).toEqual([]);
    expectProblem(
      await ada.post(`/api/rooms/${roomId}/messages`, {
        content: "https://a.invalid/4",
        image_id: Bun.randomUUIDv7(),
      }),
      422,
      "unknown_upload",
    );
    const rows = await world.database.sql`
      select from queued where payload->>'url' = 'https://a.invalid/4'`;
    expect(rows).toHaveLength(0);
  });

  test("shows a cached preview at once, and none that failed", async () => {
    await known("https://b.invalid/page", {
      title: "A page",
      description: "Of words",
      site_name: "B",
      image_sha256: Buffer.alloc(32, 7),
    });
    await known("https://b.invalid/a.png", { is_image: true });
    await known("https://b.invalid/broken", { title: "Old", has_failed: true });
    const page = await ada.say(roomId, "https://b.invalid/page");
    expect(page.preview).toEqual({
      url: "https://b.invalid/page",
      title: "A page",
      description: "Of words",
      site_name: "B",
      image_url: `/api/previews/${"07".repeat(32)}`,
      is_image: false,
    });
    expect((await bob.get(`/api/messages/${page.id}`)).body).toEqual(page);
    expect((await ada.say(roomId, "https://b.invalid/a.png")).preview).toEqual({
      url: "https://b.invalid/a.png",
      title: null,
      description: null,
      site_name: null,
      image_url: "https://b.invalid/a.png",
      is_image: true,
    });
    expect((await ada.say(roomId, "https://b.invalid/broken")).preview).toBeNull();
  });

  test("receives its preview in the order of the room's log", async () => {
    await known("https://c.invalid/", { title: "Known" });
    const socket = await bob.socket();
    await socket.join(roomId);
    const { id, seq } = await ada.say(roomId, "https://c.invalid/");
    // Earlier messages may be announced here too.
    const told = await socket.next(
      (event) => event.type === "link_preview" && event.message_id === id,
    );
    expect(told).toEqual({
      type: "link_preview",
      room_id: roomId,
      seq: expect.any(Number),
      message_id: id,
      preview: expect.objectContaining({ url: "https://c.invalid/", title: "Known" }),
    });
    expect(told.seq).toBeGreaterThan(seq);
    socket.close();
  });

  test("that is edited has the preview of its new URL, queued only if it is new", async () => {
    await known("https://d.invalid/1", { title: "One" });
    await known("https://d.invalid/2", { title: "Two" });
    const { id } = await ada.say(roomId, "https://d.invalid/1");
    const edit = async (content: string) =>
      (await ada.patch(`/api/messages/${id}`, { content })).body;
    expect(await edit("again https://d.invalid/1")).toMatchObject({ preview: { title: "One" } });
    expect(await queuedFor(id)).toEqual(["https://d.invalid/1"]);
    expect(await edit("https://d.invalid/2")).toMatchObject({
      preview_url: "https://d.invalid/2",
      preview: { title: "Two" },
    });
    expect(await edit("no more")).toMatchObject({ preview_url: null, preview: null });
    expect(await queuedFor(id)).toEqual(["https://d.invalid/1", "https://d.invalid/2"]);
  });
});
