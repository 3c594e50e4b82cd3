import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { Client } from "../support/client.ts";
import { Running } from "../support/process.ts";
import { HEAD, RawUpload } from "../uploads/raw.ts";
import { eventually } from "../support/wait.ts";

const TIMEOUT = 60_000;

let home: string;
let env: { DATA_DIR: string };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-uploads-"));
  env = { DATA_DIR: join(home, "data") };
});
afterAll(async () => {
  await (await startEmbedded(env.DATA_DIR)).release();
  await rm(home, { recursive: true });
}, TIMEOUT);

test(
  "after a kill -9 in the middle of an upload, what was acknowledged is whole, and half a file goes",
  async () => {
    let running = await Running.start(env);
    const token = running.signupLink.split("#token=")[1] ?? "";
    const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
    const answer = await new Client(running.address).post("/api/signup", ada);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const client = () => new Client(running.address, cookie);
    const room = await client().post("/api/rooms", { name: "files", privacy: "open" });
    const files = `/api/rooms/${room.body.id}/files`;
    const response = await client().upload(files, new TextEncoder().encode("whole"), "whole.txt");
    expect(response.status).toBe(201);

    const incoming = join(env.DATA_DIR, "uploads/incoming");
    const upload = new RawUpload(client(), files, 1_000_000);
    upload.write(`${HEAD('filename="half.txt"')}${"x".repeat(100_000)}`);
    await eventually(async () => (await readdir(incoming)).length > 0);
    await running.kill();
    upload.break();
    const [left = ""] = await readdir(incoming);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(incoming, left), longAgo, longAgo);

    running = await Running.start(env);
    await eventually(async () => (await readdir(incoming)).length === 0);
    const read = await client().get(response.body.url);
    expect([read.status, read.body]).toEqual([200, "whole"]);
    await running.stop();
  },
  TIMEOUT,
);
