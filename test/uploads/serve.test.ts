import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectProblem } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { Place } from "./support.ts";

const SIZE = 100_000;
const bytes = crypto.getRandomValues(new Uint8Array(SIZE));

let place: Place;
let file: string;
let image: string;
let etag: string;
beforeAll(async () => {
  place = await Place.open();
  file = (await place.member.upload(place.files, bytes, "data.bin")).body.url;
  image = (await place.member.upload(place.images, await picture("png", 900, 30))).body.url;
  etag = `"${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}"`;
});
afterAll(() => place.close());

const get = (path: string, headers: Record<string, string> = {}) => place.read(path, headers);
const isPart = (got: Uint8Array, start: number, end: number) =>
  Buffer.from(got).equals(bytes.subarray(start, end));

describe("an image", () => {
  test("is asked for by browsers each time that they show it, and kept by nobody between", async () => {
    for (const path of [image, `${image}?size=thumb`]) {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("private, no-cache");
      expect(headers.get("content-disposition")).toBe("inline");
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("has one entity tag and its thumbnail another", async () => {
    const tags = [image, `${image}?size=thumb`].map(
      async (path) => (await get(path)).headers.get("etag") ?? "",
    );
    const [whole = "", thumb = ""] = await Promise.all(tags);
    expect(whole).toBe(`"${image.split("/").at(-1)}"`);
    expect(thumb).toMatch(/^"[0-9a-f]{64}"$/);
    expect(thumb).not.toBe(whole);
    expect((await get(image, { "if-none-match": thumb })).status).toBe(200);
    expect((await get(`${image}?size=thumb`, { "if-none-match": thumb })).status).toBe(304);
  });

  test("is at its address in the room that it was sent to, and in no other", async () => {
    const other = await place.world.room("other", place.owner, [place.member]);
    const elsewhere = image.replace(place.roomId, other);
    expectProblem(await place.member.get(elsewhere), 404, "not_found");
    const [own, id] = file.split("/files/");
    expectProblem(
      await place.member.get(`${own?.replace(place.roomId, other)}/files/${id}`),
      404,
      "not_found",
    );
  });

  test.each(["x", "0".repeat(63), "A".repeat(64)])(
    "is not at an invalid address: %s",
    async (hash) => {
      expectProblem(await place.member.get(`${place.images}/${hash}`), 404, "not_found");
    },
  );
});

describe("what a reader has already", () => {
  test.each(["same", "weak", "listed", "any"])("is not sent again: %s", async (how) => {
    const given = {
      same: etag,
      weak: `W/${etag}`,
      listed: `"x", ${etag}`,
      any: "*",
    }[how] as string;
    const answer = await get(file, { "if-none-match": given });
    expect([answer.status, answer.bytes.length]).toEqual([304, 0]);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("is sent again where it is another", async () => {
    expect((await get(file, { "if-none-match": '"x"' })).status).toBe(200);
  });

  test("is not confirmed to who may not read it", async () => {
    const { world, owner, outsider } = place;
    const removed = await world.person("removed");
    await owner.post(`/api/rooms/${place.roomId}/members`, { user_id: removed.user.id });
    const [ofFile, ofImage] = [etag, `"${image.split("/").at(-1)}"`];
    for (const [path, tag] of [
      [file, ofFile],
      [image, ofImage],
    ] as const) {
      expect((await place.read(path, { "if-none-match": tag }, removed)).status).toBe(304);
    }
    await owner.delete(`/api/rooms/${place.roomId}/members/${removed.user.id}`);
    for (const [path, tag] of [
      [file, ofFile],
      [image, ofImage],
    ] as const) {
      for (const given of [tag, "*"]) {
        const headers = { "if-none-match": given };
        expect((await place.read(path, headers, removed)).status).toBe(404);
        expect((await place.read(path, headers, outsider)).status).toBe(404);
        expect((await place.read(path, headers, world.anonymous)).status).toBe(401);
      }
    }
  });
});

describe("a part of a file", () => {
  test.each([
    ["bytes=0-99", 0, 100],
    ["bytes=500-", 500, SIZE],
    ["bytes=-10", SIZE - 10, SIZE],
    ["bytes=99990-200000", 99_990, SIZE],
    ["bytes=0-0", 0, 1],
    ["bytes=-200000", 0, SIZE],
    ["Bytes=5-6", 5, 7],
  ])("is sent for %s", async (range, start, end) => {
    const answer = await get(file, { range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${SIZE}`);
    expect(answer.headers.get("content-length")).toBe(String(end - start));
    expect(isPart(answer.bytes, start, end)).toBe(true);
    expect(answer.headers.get("content-disposition")).toStartWith("attachment;");
  });

  test.each(["bytes=100000-", "bytes=100000-100001", "bytes=-0"])(
    "that is not there is 416: %s",
    async (range) => {
      const answer = await place.member.call("GET", file, undefined, { range });
      expectProblem(answer, 416, "range_not_satisfiable");
      expect(answer.headers.get("content-range")).toBe(`bytes */${SIZE}`);
    },
  );

  test("of an empty file is not there", async () => {
    const empty = await place.member.upload(place.files, new Uint8Array(), "empty");
    const answer = await place.member.call("GET", empty.body.url, undefined, { range: "bytes=0-" });
    expectProblem(answer, 416, "range_not_satisfiable");
  });

  test.each(["bytes=5-4", "bytes=a-b", "bytes=", "lines=1-2", "bytes=0-1,5-6", "bytes=-"])(
    "that is invalid, or several, returns all of it: %s",
    async (range) => {
      const answer = await get(file, { range });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([200, null]);
      expect(isPart(answer.bytes, 0, SIZE)).toBe(true);
    },
  );

  test("is sent if the file is the one that the reader has begun with", async () => {
    const range = "bytes=10-19";
    const same = await get(file, { range, "if-range": etag });
    expect([same.status, same.bytes.length]).toEqual([206, 10]);
    for (const other of ['"x"', `W/${etag}`, "Sat, 21 Nov 2026 01:00:00 GMT"]) {
      const all = await get(file, { range, "if-range": other });
      expect([all.status, all.bytes.length]).toEqual([200, SIZE]);
    }
  });

  test("comes after the question whether anything has changed", async () => {
    expect((await get(file, { range: "bytes=0-1", "if-none-match": etag })).status).toBe(304);
  });
});

describe("HEAD", () => {
  test.each(["file", "image"])("tells what GET would, without the bytes: %s", async (which) => {
    const path = which === "file" ? file : image;
    const whole = await get(path);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    const head = await place.member.call("HEAD", path, undefined, { range: "bytes=0-9" });
    expect([head.status, head.body]).toEqual([200, ""]);
    for (const name of [
      "content-length",
      "content-type",
      "content-disposition",
      "etag",
      "accept-ranges",
      "cache-control",
    ]) {
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    }
  });
});

// What it logs of it is meant to be seen.
test("bytes that the storage has lost are an error of ours", async () => {
  const { body } = await place.member.upload(place.files, new TextEncoder().encode("lost"), "x");
  const key = new Bun.CryptoHasher("sha256").update("lost").digest("hex");
  await Bun.file(`${place.folder}/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`).delete();
  expectProblem(await place.member.get(body.url), 500, "internal");
});

describe("a PDF", () => {
  const send = async (name: string, type: string) =>
    (await place.member.upload(place.files, bytes, name, type)).body.url as string;

  test("is shown by the viewer of a browser, which a frame of this origin may hold", async () => {
    const url = await send("plan.pdf", "application/pdf");
    const { status, headers } = await get(`${url}?view=true`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toStartWith("inline; filename");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("script-src");
    expect((await get(url)).headers.get("content-disposition")).toStartWith("attachment");
    expectProblem(await place.outsider.get(`${url}?view=true`), 404, "room_not_found");
  });

  test.each(["text/html", "image/svg+xml", "application/pdfx", "text/html;application/pdf"])(
    "is nothing that claims to be %s: it stays a download",
    async (type) => {
      const { headers } = await get(`${await send("plan.pdf", type)}?view=true`);
      expect(headers.get("content-disposition")).toStartWith("attachment");
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    },
  );
});
