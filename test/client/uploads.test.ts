import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Api, ApiError, createApi } from "../../public/app/connection/api.ts";
import type { SendFile } from "../../public/app/connection/upload.ts";
import { type Upload, Uploads } from "../../public/app/state/composer/uploads.ts";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import { DEFAULT_UPLOAD_BYTES } from "../../src/wire/limits.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
let api: Api;
/** Over `fetch`, with the cookie of a test. */
let send: SendFile;
let uploads: Uploads;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  roomId = await world.room("hall", ada);
  const cookie = ada.cookie ?? "";
  const call = (path: string, init: RequestInit) =>
    fetch(world.service.address + path, { ...init, headers: { cookie } });
  api = createApi({ fetch: call, onRefusal: { signedOut: () => {} } });
  send = async (path, file, { onProgress, signal }) => {
    const body = new FormData();
    body.append("file", file, file.name);
    const response = await call(path, { method: "POST", body, signal });
    onProgress(1);
    const answer = await response.json();
    if (response.ok) return answer;
    throw new ApiError(answer.code, answer.detail, response.status);
  };
});
beforeEach(() => {
  uploads = new Uploads(api, send);
});
afterAll(() => world.stop());

const png = async (name: string, side = 20) =>
  new File([(await picture("png", side, side)) as Uint8Array<ArrayBuffer>], name, {
    type: "image/png",
  });
const text = (name: string, content = "hello") => new File([content], name, { type: "text/plain" });

/** Waits until each upload is stored or has failed. */
async function settled(): Promise<Upload[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = uploads.list.subscribe((list) => {
    if (list.every((item) => item.stored || item.problem)) resolve();
  });
  await promise;
  stop();
  return uploads.of(roomId);
}

describe("uploads", () => {
  test("are stored, and one image and one file go with one message", async () => {
    await uploads.add(roomId, [await png("a.png", 28), text("alone.txt")]);
    await settled();
    expect(uploads.take(roomId)).toMatchObject([
      { image: { width: 28 }, file: { name: "alone.txt" }, group_id: null },
    ]);
    expect(uploads.take(roomId)).toEqual([]);
  });

  test("of several go with a message each, the images first, under one group", async () => {
    await uploads.add(roomId, [await png("a.png"), await png("b.png", 24), text("notes.txt")]);
    const list = await settled();
    expect(list.map((item) => [item.kind, item.file.name, item.problem])).toEqual([
      ["image", "a.png", null],
      ["image", "b.png", null],
      ["file", "notes.txt", null],
    ]);
    const [first, second, third, ...others] = uploads.take(roomId);
    const { group_id = null } = first ?? {};
    expect(first).toMatchObject({ image: { width: 20 }, file: null });
    expect(second).toMatchObject({ image: { width: 24 }, file: null, group_id });
    expect(third).toMatchObject({ image: null, file: { name: "notes.txt" }, group_id });
    expect(others).toEqual([]);
    expect(uploads.of(roomId)).toEqual([]);
    const message = { image_id: first?.image?.id, group_id };
    expect((await ada.post(`/api/rooms/${roomId}/messages`, message)).status).toBe(201);
  });

  test("over the live cap are refused before a byte goes out, with the sizes", async () => {
    await setUploadLimit(world.database.db, 2_048);
    let sent = 0;
    uploads = new Uploads(api, (...given) => {
      sent += 1;
      return send(...given);
    });
    await uploads.add(roomId, [text("large.txt", "x".repeat(3_000)), text("small.txt")]);
    const [large, small] = await settled();
    expect(large?.problem).toEqual({ code: "over_cap", size: 3_000, cap: 2_048 });
    expect(small?.problem).toBeNull();
    expect(sent).toBe(1);
    await setUploadLimit(world.database.db, DEFAULT_UPLOAD_BYTES);
  });

  test("that have an image's type but are not images are uploaded as files", async () => {
    await uploads.add(roomId, [new File(["no picture"], "odd.png", { type: "image/png" })]);
    const [odd] = await settled();
    expect(odd).toMatchObject({ kind: "file", problem: null, stored: { name: "odd.png" } });
  });

  test("that broke off can be retried", async () => {
    let isAway = true;
    uploads = new Uploads(api, (...given) =>
      isAway ? Promise.reject(new ApiError("broken_off")) : send(...given),
    );
    await uploads.add(roomId, [text("a.txt")]);
    const [broken] = await settled();
    expect(broken).toMatchObject({ problem: { code: "broken_off" }, mayRetry: true });
    isAway = false;
    uploads.retry(broken?.id ?? "");
    expect((await settled())[0]).toMatchObject({ problem: null, stored: { name: "a.txt" } });
  });

  test("can be cancelled on the way", async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    uploads = new Uploads(api, (_path, _file, { signal }) => {
      signal.addEventListener("abort", () => resolve());
      return new Promise(() => {});
    });
    await uploads.add(roomId, [text("a.txt")]);
    uploads.remove(uploads.of(roomId)[0]?.id ?? "");
    await aborted;
    expect(uploads.of(roomId)).toEqual([]);
  });
});
