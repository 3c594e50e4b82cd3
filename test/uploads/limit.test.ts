import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import { type Answer, expectProblem } from "../support/client.ts";
import { HEAD, RawUpload } from "./raw.ts";
import { Place } from "./support.ts";

const KB = 1_024;
const MB = 1_024 * KB;

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterEach(() => place.setLimit(8 * MB));
afterAll(() => place.close());

const send = (kind: "images" | "files", size: number) =>
  place.member.upload(place[kind], new Uint8Array(size), "big");

function expectOver(answer: Answer, limit: string): void {
  expect(answer.body.detail).toContain(limit);
  expectProblem(answer, 413, "too_large");
}

describe("the limit of uploads", () => {
  test("is 8 MB until somebody sets it", async () => {
    await place.sql`delete from upload_settings`;
    expect((await place.outsider.get("/api/uploads/limit")).body).toEqual({ max_bytes: 8 * MB });
  });

  test("is the one that was set last", async () => {
    await place.setLimit(5 * MB);
    await place.setLimit(3 * MB);
    expect((await place.member.get("/api/uploads/limit")).body).toEqual({ max_bytes: 3 * MB });
  });

  test.each([KB - 1, 1_024 * MB + 1, 2_000.5, Number.NaN])("cannot be %d", async (bytes) => {
    await expect(setUploadLimit(place.world.database.db, bytes)).rejects.toThrow("validation");
    expect((await place.member.get("/api/uploads/limit")).body).toEqual({ max_bytes: 8 * MB });
  });
});

describe("an upload over the limit", () => {
  test.each(["images", "files"] as const)(
    "is refused with the limit in words: %s",
    async (kind) => {
      expectOver(await send(kind, 9 * MB), "8 MB");
    },
  );

  test("is measured by what is set now", async () => {
    await place.setLimit(100 * KB);
    expectOver(await send("files", 200 * KB), "100 KB");
    await place.setLimit(300 * KB);
    expect((await send("files", 200 * KB)).status).toBe(201);
  });

  test("is too large, not one too many, where the limit was higher before", async () => {
    for (let i = 0; i < 3; i++) expect((await send("files", 100 * KB)).status).toBe(201);
    await place.setLimit(2 * KB);
    expectOver(await send("files", 2 * KB + 1), "2 KB");
    expect((await send("files", 2 * KB)).status).toBe(201);
  });

  test("begins with the byte after it", async () => {
    await place.setLimit(100 * KB);
    expect((await send("files", 100 * KB)).status).toBe(201);
    expectProblem(await send("files", 100 * KB + 1), 413, "too_large");
  });

  test("leaves nothing", async () => {
    await place.setLimit(100 * KB);
    const before = await place.kept();
    await send("files", 100 * KB + 1);
    await send("images", 10 * MB);
    expect([await place.kept(), await place.incoming()]).toEqual([before, []]);
  });

  test("is answered from its announced length, before any of it is there", async () => {
    const upload = new RawUpload(place.member, place.files, 200 * MB);
    expect(await upload.answer()).toMatchObject({ status: 413, body: { code: "too_large" } });
  });

  test.each(["images", "files"] as const)(
    "is answered while it is counted, though more is to come: %s",
    async (kind) => {
      await place.setLimit(100 * KB);
      const upload = new RawUpload(place.member, place[kind], "chunked");
      upload.writeChunk(HEAD('filename="a"') + "x".repeat(101 * KB));
      expect(await upload.answer()).toMatchObject({ status: 413, body: { code: "too_large" } });
      expect(await place.incoming()).toEqual([]);
    },
  );

  test("is answered though it hides in a part that is not read", async () => {
    await place.setLimit(100 * KB);
    const upload = new RawUpload(place.member, place.files, "chunked");
    upload.writeChunk(HEAD('filename="a"').replace('"file"', '"other"') + "x".repeat(200 * KB));
    expect(await upload.answer()).toMatchObject({ status: 413, body: { code: "too_large" } });
  });

  test("is refused to a stranger for being one", async () => {
    const upload = new RawUpload(place.outsider, place.files, 200 * MB);
    expect(await upload.answer()).toMatchObject({ status: 404, body: { code: "room_not_found" } });
  });
});
