import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { isDiskFull } from "../../src/platform/storage/storage.ts";
import { expectProblem, formOf } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { Place } from "./support.ts";

const MB = 1_024 ** 2;
/** Only root may mount a file system. */
const canMount = process.getuid?.() === 0 && Bun.which("mount") !== null;

describe.if(canMount)("while the disk is full", () => {
  let place: Place;
  let folder: string;
  const run = (...command: string[]) => Bun.spawnSync(command, { stderr: "inherit" }).exitCode;
  const filler = () => join(folder, "filler");
  /** Leaves this many bytes. */
  const leave = async (bytes: number) => {
    await rm(filler(), { force: true });
    const { stdout } = Bun.spawnSync(["df", "--output=avail", "-B1", folder]);
    const free = Number(stdout.toString().split("\n")[1]);
    await Bun.write(filler(), new Uint8Array(Math.max(0, free - bytes)));
  };

  beforeAll(async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), "snug-full-"));
    folder = join(DATA_DIR, "uploads");
    await mkdir(folder);
    expect(run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder)).toBe(0);
    place = await Place.open({ DATA_DIR });
  });
  afterAll(async () => {
    run("umount", "--lazy", folder);
    await place.close();
  });

  test("files, images and avatars are refused in words, and what is there is served", async () => {
    const response = await place.member.upload(place.files, new Uint8Array(1_000), "kept");
    const before = await place.kept();
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const create = { width: 900, height: 900, channels: 3 as const, background: "#fff", noise };
    const large = await sharp({ create }).png().toBuffer();
    // The image itself comes in; what is made of it does not fit any more.
    await leave(large.length + 64 * 1_024);
    expectProblem(await place.member.upload(place.images, large), 507, "storage_full");
    await leave(0);
    const result = await place.member.upload(place.files, new Uint8Array(MB), "more");
    expectProblem(result, 507, "storage_full");
    expect(result.body.detail).toContain("full");
    const face = formOf(await picture("png", 600, 600), "me.png");
    const answer = await place.member.call("PUT", "/api/auth/me/avatar", face);
    expectProblem(answer, 507, "storage_full");
    expect((await place.read(response.body.url)).status).toBe(200);
    expect([await place.kept(), await place.incoming()]).toEqual([before, []]);
    await rm(filler());
    expect((await place.member.upload(place.files, new Uint8Array(MB), "more")).status).toBe(201);
  });
});

test.each([
  ["ENOSPC", "write failed"],
  ["EDQUOT", "write failed"],
  ["", "unable to write to target: No space left on device"],
])("an error %p with the words %p says that the disk is full", (code, words) => {
  expect(isDiskFull(Object.assign(new Error(words), { code }))).toBe(true);
  expect(isDiskFull(Object.assign(new Error("write failed"), { code: "EIO" }))).toBe(false);
});

test.each([
  ["53100", "disk is full"],
  ["53200", "unavailable"],
])("a database that refuses with %s is answered 503, and goes on", async (code, words) => {
  const place = await Place.open();
  await place.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '${code}'; end $$;
    create trigger refuse before insert on message_files execute function refuse();
    create trigger refuse before insert on messages execute function refuse();`);
  const upload = () => place.member.upload(place.files, new Uint8Array(10), "a");
  const post = () => place.member.post(`/api/rooms/${place.roomId}/messages`, { content: "hi" });
  for (const refused of [await upload(), await post()]) {
    expectProblem(refused, 503, "unavailable");
    expect(refused.body.detail).toContain(words);
    expect(refused.headers.get("retry-after")).toBe("1");
  }
  expect((await place.member.get(`/api/rooms/${place.roomId}/messages`)).status).toBe(200);
  await place.sql.unsafe(`
    drop trigger refuse on message_files; drop trigger refuse on messages;`);
  expect([(await upload()).status, (await post()).status]).toEqual([201, 201]);
  await place.close();
});
