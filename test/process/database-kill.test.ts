import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { Client } from "../support/client.ts";
import { Running } from "../support/process.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(120_000);

let home: string;
let running: Running;
let ada: Client;
let roomId: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-database-"));
  running = await Running.start({ DATA_DIR: home });
  const token = running.signupLink.split("#token=")[1] ?? "";
  const password = "correct horse battery";
  const values = { token, username: "ada", email: "ada@example.org", password };
  const answer = await new Client(running.address).post("/api/signup", values);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  ada = new Client(running.address, cookie, answer.body);
  roomId = (await ada.post("/api/rooms", { name: "steady", privacy: "open" })).body.id;
});
afterAll(async () => {
  await running.stop();
  await (await startEmbedded(home)).release();
  await rm(home, { recursive: true });
});

async function killPostmaster(): Promise<void> {
  const file = await readFile(join(home, "postgres/cluster/postmaster.pid"), "utf8");
  process.kill(Number(file.split("\n")[0]), "SIGKILL");
}

test("a kill -9 of PostgreSQL under load: 503 meanwhile, back by itself, no acknowledged message lost", async () => {
  const socket = await ada.socket();
  await socket.join(roomId);
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let over = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let line = 0; !over; line++) {
      const content = `${writer}: ${line}`;
      const { status } = await ada.post(`/api/rooms/${roomId}/messages`, { content });
      statuses.add(status);
      if (status === 201) acknowledged.push(content);
    }
  });
  await eventually(() => acknowledged.length >= 50);
  await killPostmaster();
  await eventually(() => statuses.has(503));
  const before = acknowledged.length;
  await eventually(() => acknowledged.length >= before + 50);
  over = true;
  await Promise.all(writers);
  expect([...statuses].sort()).toEqual([201, 503]);

  const stored: string[] = [];
  for (let after = 0, more = true; more;) {
    const { body } = await ada.get(`/api/rooms/${roomId}/changes?after=${after}&limit=500`);
    for (const event of body.items) {
      expect(event.seq).toBe(++after);
      if (event.type === "message") stored.push(event.message.content);
    }
    more = body.has_more;
  }
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.filter((content) => !stored.includes(content))).toEqual([]);
  // The open socket heard everything, across the gap.
  const last = await socket.next(
    (e) => e.type === "message" && e.message.content === stored.at(-1),
  );
  expect(last.room_id).toBe(roomId);
  const heard = socket.heard.filter((e) => e.type === "message").map((e) => e.message.content);
  expect(heard).toEqual(stored);
});
