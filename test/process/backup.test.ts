import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { Client } from "../support/client.ts";
import { emptyDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(240_000);
/** Each of the size that is allowed, so that a copy of all takes a moment. */
const FILES = 5;
const FILE_BYTES = 8_000_000;

let home: string;
const dataDirs: string[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-loss-"));
});
afterAll(async () => {
  // Ends what a killed process has left behind.
  for (const folder of dataDirs) await (await startEmbedded(folder)).release();
  await rm(home, { recursive: true });
});

const place = (name: string) => {
  const DATA_DIR = join(home, name);
  dataDirs.push(DATA_DIR);
  return { DATA_DIR };
};
/** Starts a command, and kills it as soon as something is there. */
async function killOnce(args: string[], env: object, isThere: () => Promise<boolean>) {
  const child = Bun.spawn([process.execPath, "cli.ts", ...args], {
    cwd: join(import.meta.dir, "../.."),
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "ignore",
  });
  await eventually(async () => child.exitCode !== null || (await isThere()));
  child.kill("SIGKILL");
  await child.exited;
  return child.signalCode;
}

test("everything is lost, and comes back from a backup: in another place, after kills in the middle", async () => {
  const first = place("first");
  const nightly = join(home, "nightly");
  let running = await Running.start({ ...first, BACKUP_DIR: nightly });
  // The service takes one by itself as soon as it has a folder for it.
  await running.until(/A backup was taken/);
  const token = running.signupLink.split("#token=")[1] ?? "";
  const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
  const signup = await new Client(running.address).post("/api/signup", ada);
  const cookie = signup.headers.get("set-cookie")?.split(";")[0] ?? "";
  const client = () => new Client(running.address, cookie);
  const room = (await client().post("/api/rooms", { name: "files", privacy: "open" })).body.id;
  const sums = new Map<string, string>();
  const said: string[] = [];
  for (let i = 0; i < FILES; i++) {
    const bytes = Buffer.alloc(FILE_BYTES, `${i} ${Bun.randomUUIDv7()}`);
    const { body } = await client().upload(`/api/rooms/${room}/files`, bytes, `${i}.bin`);
    said.push((await client().say(room, `file ${i}`, { file_id: body.id })).id);
    sums.set(body.url, Bun.SHA256.hash(bytes, "hex"));
  }
  // Makes a key that is sealed with the secret key.
  const key = (await client().get("/api/push/key")).body;

  const file = join(home, "snug.tar");
  const isBegun = () => Bun.file(`${file}.partial`).exists();
  expect(await killOnce(["backup", file], first, isBegun)).toBe("SIGKILL");
  expect(await Bun.file(file).exists()).toBe(false);
  const saved = await Running.cli(["backup", file], first);
  expect([saved.status, saved.err]).toEqual([0, ""]);
  expect(saved.out).toContain(`${FILES} uploads`);
  expect((await Running.cli(["backup", file], first)).err).toContain("already exists");
  const verified = await Running.cli(["backup", "verify", file], {});
  expect(verified.out).toContain("A whole backup");
  await running.kill();
  await (await startEmbedded(first.DATA_DIR)).release();
  await rm(first.DATA_DIR, { recursive: true });

  const second = place("second");
  const incoming = join(second.DATA_DIR, "uploads/incoming");
  const isStoring = async () => (await readdir(incoming).catch(() => [])).length > 0;
  expect(await killOnce(["restore", file], second, isStoring)).toBe("SIGKILL");
  const restored = await Running.cli(["restore", file, "--keep-sessions"], second);
  expect([restored.status, restored.err]).toEqual([0, ""]);
  expect(restored.out).toContain("- 1 person who can sign in");

  running = await Running.start(second);
  expect(running.signupLink).toBe("");
  // The session goes on, and each byte is there.
  for (const [url, sum] of sums) {
    const answer = await fetch(running.address + url, { headers: { cookie } });
    expect(Bun.SHA256.hash(await answer.bytes(), "hex")).toBe(sum);
  }
  const history = await client().get(`/api/rooms/${room}/messages`);
  expect(history.body.items.map(({ id }: { id: string }) => id).sort()).toEqual(said.sort());
  // The secret key is there too: what it has sealed can be used.
  expect((await client().get("/api/push/key")).body).toEqual(key);
  expect((await Running.cli(["doctor"], second)).out).not.toContain("WRONG");

  // From the embedded PostgreSQL to another.
  const url = urlOf(await emptyDatabase());
  const result = await Running.cli(["database", "move", url], second);
  expect(result.err).toContain("stop it first");
  expect(await running.stop()).toBe(0);
  const moved = await Running.cli(["database", "move", url], second);
  expect([moved.status, moved.err]).toEqual([0, ""]);
  running = await Running.start({ ...second, DATABASE_URL: url });
  const after = await client().get(`/api/rooms/${room}/messages`);
  expect(after.body.items).toEqual(history.body.items);
  await client().say(room, "It goes on.");
  expect(await running.stop()).toBe(0);
});
