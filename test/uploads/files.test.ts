import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectProblem } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { bodyOf, HEAD, RawUpload, TAIL } from "./raw.ts";
import { Place } from "./support.ts";
import { eventually } from "../support/wait.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(() => place.close());

const text = (value: string) => new TextEncoder().encode(value);

/** Sends a part whose head is written by hand. */
async function sendRaw(filename: string, type?: string) {
  const body = bodyOf(filename, "x", type);
  const upload = new RawUpload(place.member, place.files, Buffer.byteLength(body));
  upload.write(body);
  return upload.answer();
}

/** The name that a browser would save a download under, by the part of the header that it prefers. */
function savedAs(headers: Headers): string {
  const disposition = headers.get("content-disposition") ?? "";
  // RFC 6266, 4.1, and RFC 8187, 3.2.1: nothing but these signs.
  const form = /^attachment; filename="([ !#-[\]-~]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/;
  expect(disposition).toMatch(form);
  return decodeURIComponent(form.exec(disposition)?.[2] ?? "");
}

describe("a file", () => {
  test("of any type is kept as it came", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(100_000));
    const type = "application/x-very.special+thing";
    const { status, body } = await place.member.upload(place.files, bytes, "data.bin", type);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      url: `${place.files}/${body.id}`,
      name: "data.bin",
      mime: type,
      size_bytes: 100_000,
    });
    const kept = await place.read(body.url);
    expect(Buffer.from(kept.bytes).equals(bytes)).toBe(true);
    expect(kept.headers.get("content-length")).toBe("100000");
    expect(kept.headers.get("content-type")).toBe(type);
    const [row] = await place.sql`select room_id, uploader_id from message_files`;
    expect(row).toEqual({ room_id: place.roomId, uploader_id: place.member.user.id });
  });

  test("may be empty", async () => {
    const { status, body } = await place.member.upload(place.files, new Uint8Array(), "empty");
    expect([status, body.size_bytes]).toEqual([201, 0]);
    const kept = await place.read(body.url);
    expect([kept.status, kept.bytes.length]).toEqual([200, 0]);
  });

  test("is saved, never shown or run", async () => {
    const page = text("<script>alert(1)</script>");
    const { body } = await place.member.upload(place.files, page, "page.html", "text/html");
    const { headers } = await place.read(body.url);
    expect(savedAs(headers)).toBe("page.html");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("cache-control")).toBe("private, no-cache");
  });

  test("of which the same bytes are there twice is kept once", async () => {
    const bytes = text("the same");
    await place.member.upload(place.files, bytes, "one");
    const before = await place.kept();
    const second = await place.owner.upload(place.files, bytes, "two");
    expect(await place.kept()).toEqual(before);
    expect(savedAs((await place.read(second.body.url)).headers)).toBe("two");
  });

  test.each([
    // RFC 7578, 4.4: what says nothing is text/plain.
    ["", "text/plain"],
    ["nonsense", "text/plain"],
    ["Text/HTML; charset=utf-8", "text/html"],
    [`${"x".repeat(200)}/y`, "application/octet-stream"],
  ])("whose type is %p is %p", async (type, mime) => {
    const { status, body } = await sendRaw('filename="a"', type);
    const kept = await place.read(String(body.url));
    expect([status, kept.status]).toEqual([201, 200]);
    expect([body.mime, kept.headers.get("content-type")]).toEqual([mime, mime]);
  });
});

describe("a file's name", () => {
  const long = "ж".repeat(300);
  test.each([
    ["plain.txt", 'filename="plain.txt"', "plain.txt"],
    ["Unicode", 'filename="Übersicht 日本 🐈‍⬛.pdf"', "Übersicht 日本 🐈‍⬛.pdf"],
    ["decomposed", 'filename="u\u0308.txt"', "ü.txt"],
    ["a quote, as browsers send it", 'filename="say %22hi%22.txt"', 'say "hi".txt'],
    ["a quote, as curl sends it", 'filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ["a percent sign", 'filename="100%.txt"', "100%.txt"],
    ["RFC 8187", "filename*=UTF-8''na%C3%AFve%20%22x%22.txt", 'naïve "x".txt'],
    ["a path", 'filename="../../etc/passwd"', "passwd"],
    ["a path of Windows", 'filename="C:\\\\temp\\\\x.exe"', "x.exe"],
    ["a folder", 'filename="folder/"', "file"],
    ["only dots", 'filename=".."', "file"],
    ["nothing but blanks", 'filename="   "', "file"],
    ["a line break", 'filename="a%0D%0ASet-Cookie: x.txt"', "aSet-Cookie: x.txt"],
    ["controls", "filename*=UTF-8''a%01%7F%C2%85b.txt", "ab.txt"],
    ["turned text", 'filename="annexe\u202etxt.exe"', "annexetxt.exe"],
    ["a leading dot", 'filename=".profile"', ".profile"],
    ["a long one", `filename="${long}.tar.gz"`, `${"ж".repeat(126)}.gz`],
    ["a long one without an ending", `filename="${long}"`, "ж".repeat(127)],
    ["a semicolon", 'filename="a;b=c.txt"', "a;b=c.txt"],
  ])("is kept, and cannot do harm: %s", async (_, filename, name) => {
    const { status, body } = await sendRaw(filename);
    expect([status, body.name]).toEqual([201, name]);
    expect(savedAs((await place.read(String(body.url))).headers)).toBe(name);
  });

  test("comes through from a form as it was given", async () => {
    const name = "Ein \"Zitat\" & 50% 日本; 'x' (1).txt";
    const { body } = await place.member.upload(place.files, text("x"), name);
    expect(body.name).toBe(name);
  });
});

describe("a body", () => {
  const post = (body: BodyInit, type?: string) =>
    place.member.call("POST", place.files, body, type ? { "content-type": type } : {});

  test("of another kind is 415", async () => {
    expectProblem(await post("x", "text/plain"), 415, "unsupported_media_type");
    expectProblem(await post("{}", "application/json"), 415, "unsupported_media_type");
    expectProblem(await place.member.post(place.files), 415, "unsupported_media_type");
  });

  test.each([
    ["without a boundary", bodyOf('filename="a"', "x"), "multipart/form-data"],
    [
      "that ends in the middle",
      `${HEAD('filename="a"')}x`,
      "multipart/form-data; boundary=snug-test",
    ],
    ["that is nothing", "", "multipart/form-data; boundary=snug-test"],
    ["that is no form", "nonsense", "multipart/form-data; boundary=snug-test"],
  ])("%s is 400, and leaves nothing", async (_, body, type) => {
    const before = await place.kept();
    expectProblem(await post(body, type), 400, "bad_request");
    expect([await place.kept(), await place.incoming()]).toEqual([before, []]);
  });

  test("without the part is 422", async () => {
    const form = new FormData();
    form.append("other", new Blob([PNG]), "x.png");
    form.append("file", "no file");
    const answer = await post(form);
    expectProblem(answer, 422, "validation");
    expect(answer.body.errors[0].path).toBe("/file");
  });

  test("may hold other parts, which are passed over", async () => {
    const form = new FormData();
    form.append("caption", "hello");
    form.append("other", new Blob([PNG]), "other.png");
    form.append("file", new Blob(["one"]), "one");
    form.append("file", new Blob(["two"]), "two");
    const { status, body } = await post(form);
    expect([status, body.name, body.size_bytes]).toEqual([201, "one", 3]);
  });

  test("whose sender is gone leaves nothing", async () => {
    const before = await place.kept();
    const upload = new RawUpload(place.member, place.files, 1_000_000);
    upload.write(`${HEAD('filename="a"')}${"x".repeat(100_000)}`);
    await eventually(async () => (await place.incoming()).length > 0);
    upload.break();
    await eventually(async () => (await place.incoming()).length === 0);
    expect(await place.kept()).toEqual(before);
  });

  test("whose sender is put out of the room meanwhile is refused, and names nothing", async () => {
    const { world, owner } = place;
    const guest = await world.person("guest");
    await owner.post(`/api/rooms/${place.roomId}/members`, { user_id: guest.user.id });
    const body = bodyOf('filename="late"', "late");
    const upload = new RawUpload(guest, place.files, body.length);
    upload.write(body.slice(0, -TAIL.length));
    await eventually(async () => (await place.incoming()).length > 0);
    await owner.delete(`/api/rooms/${place.roomId}/members/${guest.user.id}`);
    upload.write(TAIL);
    expect(await upload.answer()).toMatchObject({ status: 404, body: { code: "room_not_found" } });
    expect(await place.sql`select from message_files where name = 'late'`).toHaveLength(0);
  });
});

describe("in an archived room", () => {
  test("nothing is taken in, and what is there can be read", async () => {
    const { world, owner } = place;
    const room = await world.room("attic", owner);
    const path = `/api/rooms/${room}`;
    const file = await owner.upload(`${path}/files`, PNG, "x.png");
    const image = await owner.upload(`${path}/images`, PNG, "x.png");
    await world.database.sql`update rooms set is_archived = true where id = ${room}`;
    for (const kind of ["images", "files"]) {
      expectProblem(await owner.upload(`${path}/${kind}`, PNG), 409, "room_archived");
    }
    for (const { body } of [file, image]) {
      expect((await place.read(body.url, {}, owner)).status).toBe(200);
    }
  });
});
