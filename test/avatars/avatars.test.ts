import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import { DEFAULT_UPLOAD_BYTES } from "../../src/wire/limits.ts";
import { type Client, expectProblem, formOf } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let ada: Client;
let bob: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
  roomId = await world.room("hall", ada, [bob]);
});
afterAll(() => world.stop());

const put = (client: Client, bytes: Uint8Array) =>
  client.call("PUT", "/api/auth/me/avatar", formOf(bytes, "me.png", "image/png"));
const fetchPicture = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(world.service.address + path, {
    headers: { cookie: bob.cookie ?? "", ...headers },
  });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

describe("an avatar", () => {
  test("is cropped to a square in three sizes, and shown wherever its owner is", async () => {
    const tab = await bob.socket();
    await tab.join(roomId);
    const { status, body } = await put(ada, await picture("png", 900, 600));
    expect(status).toBe(200);
    const address = `/api/users/${ada.user.id}/avatar`;
    expect(body.avatar_url).toMatch(new RegExp(`^${address}\\?v=[0-9a-f]{8}$`));
    expect((await tab.next("member_updated")).room_id).toBe(roomId);
    for (const [query, side] of [
      ["", 512],
      ["?size=128", 128],
      ["?size=64", 64],
    ] as const) {
      const { response, bytes } = await fetchPicture(address + query);
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(response.headers.get("cache-control")).toBe("private, max-age=60");
      expect(await sharp(bytes).metadata()).toMatchObject({ width: side, height: side });
    }
    await ada.say(roomId, "with a face");
    const history = await bob.get(`/api/rooms/${roomId}/messages`);
    expect(history.body.items.at(-1).author.avatar_url).toBe(body.avatar_url);
    const members = await bob.get(`/api/rooms/${roomId}/members`);
    const seen = members.body.items.find(
      (item: { user: { id: string } }) => item.user.id === ada.user.id,
    );
    expect(seen.user.avatar_url).toBe(body.avatar_url);
    tab.close();
  });

  test("is answered with 304 while it is unchanged", async () => {
    const address = `/api/users/${ada.user.id}/avatar?size=64`;
    const etag = (await fetchPicture(address)).response.headers.get("etag") ?? "";
    const again = await fetchPicture(address, { "if-none-match": etag });
    expect(again.response.status).toBe(304);
  });

  test("changes its URL when it is replaced, and clients are notified", async () => {
    const before = (await ada.get("/api/auth/me")).body.avatar_url;
    await bob.get(`/api/rooms/${roomId}/messages`);
    const { body } = await put(ada, await picture("jpeg", 300, 300));
    expect(body.avatar_url).not.toBe(before);
    const history = await bob.get(`/api/rooms/${roomId}/messages`);
    expect(history.body.items.at(-1).author.avatar_url).toBe(body.avatar_url);
    const rows = await world.database.sql`select from avatars where user_id = ${ada.user.id}`;
    expect(rows).toHaveLength(3);
  });

  test("can be removed, and is 404 for users without one", async () => {
    const removed = await ada.delete("/api/auth/me/avatar");
    expect(removed).toMatchObject({ status: 200, body: { avatar_url: null } });
    expectProblem(await bob.get(`/api/users/${ada.user.id}/avatar`), 404, "not_found");
    expect((await ada.delete("/api/auth/me/avatar")).status).toBe(200);
  });

  test("is refused if it is not an image or too large, and the previous one stays", async () => {
    const { body } = await put(ada, await picture("webp", 64, 64));
    const bad = await put(ada, new TextEncoder().encode("no picture"));
    expectProblem(bad, 422, "not_an_image");
    await setUploadLimit(world.database.db, 1_024);
    const large = await put(ada, new Uint8Array(5_000));
    expectProblem(large, 413, "too_large");
    expect(large.body).toMatchObject({ detail: "This is larger than the limit of 1 KB." });
    await setUploadLimit(world.database.db, DEFAULT_UPLOAD_BYTES);
    expect((await ada.get("/api/auth/me")).body.avatar_url).toBe(body.avatar_url);
  });

  test("that is replaced or removed is deleted from the disk, unless someone else uses it", async () => {
    const cwd = join(world.settings.DATA_DIR, "uploads");
    const files = () => Array.fromAsync(new Bun.Glob("??/??/*").scan({ cwd }));
    const until = async (count: number) => {
      await eventually(async () => (await files()).length === count);
    };
    await put(ada, await picture("png", 700, 700));
    await until(3);
    await put(ada, await picture("png", 600, 700));
    await put(bob, await picture("png", 600, 700));
    await until(3);
    await ada.delete("/api/auth/me/avatar");
    const removals = () => world.database.sql`select from jobs where kind = 'remove_blobs'`;
    await eventually(async () => (await removals()).length === 0);
    expect(await files()).toHaveLength(3);
    expect((await fetchPicture(`/api/users/${bob.user.id}/avatar`)).response.status).toBe(200);
    await bob.delete("/api/auth/me/avatar");
    await until(0);
  });

  test("has exactly three sizes", async () => {
    const answer = await bob.get(`/api/users/${ada.user.id}/avatar?size=100`);
    expectProblem(answer, 422, "validation");
  });
});
