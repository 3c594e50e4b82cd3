import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { Client } from "../support/client.ts";
import { emptyDatabase, urlOf } from "../support/database.ts";
import { findFreePort } from "../support/ports.ts";
import { Running } from "../support/process.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(120_000);
const ROOT = join(import.meta.dir, "../..");
const BEFORE = 40;

/** As `docs/operate.md` says it, where Debian's Caddy is installed. */
describe.skipIf(!Bun.which("caddy"))("from one instance to two behind Caddy", () => {
  let home: string;
  let caddy: Subprocess | undefined;
  const instances: Running[] = [];
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "snug-grow-"));
  });
  afterAll(async () => {
    caddy?.kill("SIGTERM");
    await caddy?.exited;
    await Promise.all(instances.map((instance) => instance.kill()));
    await rm(home, { recursive: true });
  });

  async function startCaddy(port: number, ports: number[]): Promise<void> {
    const page = await Bun.file(join(ROOT, "docs/operate.md")).text();
    const command = /^ *DOMAIN=\S+ SNUG=".+" (caddy run .+)$/m.exec(page)?.[1]?.split(" ") ?? [];
    caddy = Bun.spawn(command, {
      cwd: ROOT,
      env: {
        ...process.env,
        HOME: home,
        CADDY_ADMIN: `127.0.0.1:${findFreePort()}`,
        DOMAIN: `http://127.0.0.1:${port}`,
        SNUG: ports.map((port) => `127.0.0.1:${port}`).join(" "),
      },
      stdout: "ignore",
      stderr: "ignore",
    });
    const isThere = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(isThere);
  }

  test("no message is lost by the move, nor while an instance is replaced", async () => {
    const DATA_DIR = join(home, "data");
    const single = await Running.start({ DATA_DIR });
    const token = single.signupLink.split("#token=")[1] ?? "";
    const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
    const signup = await new Client(single.address).post("/api/signup", ada);
    const cookie = signup.headers.get("set-cookie")?.split(";")[0] ?? "";
    const alone = new Client(single.address, cookie);
    const room = (await alone.post("/api/rooms", { name: "hall", privacy: "open" })).body.id;
    const said: string[] = [];
    for (let i = 0; i < BEFORE; i++) said.push((await alone.say(room, `alone ${i}`)).id);
    const file = await alone.upload(`/api/rooms/${room}/files`, Buffer.from("kept"), "kept.txt");
    expect(await single.stop()).toBe(0);

    const DATABASE_URL = urlOf(await emptyDatabase());
    const moved = await Running.cli(["database", "move", DATABASE_URL], { DATA_DIR });
    expect([moved.status, moved.err]).toEqual([0, ""]);
    const [port, ...ports] = [findFreePort(), findFreePort(), findFreePort()];
    const BASE_URL = `http://127.0.0.1:${port}`;
    const start = async (i: number) => {
      const PORT = String(ports[i]);
      const env = { DATA_DIR, DATABASE_URL, BASE_URL, PORT, TRUST_PROXY: "1" };
      instances[i] = await Running.start(env);
    };
    await Promise.all([start(0), start(1)]);
    await startCaddy(port, ports);

    const client = new Client(BASE_URL, cookie);
    const read = await client.get(file.body.url);
    expect([read.status, read.body]).toEqual([200, "kept"]);
    const socket = await client.socket();
    socket.send({ type: "join", room_id: room });
    await socket.next("joined");

    let isOver = false;
    const posting = (async () => {
      for (let i = 0; !isOver; i++) {
        const body = { content: `two ${i}`, client_id: crypto.randomUUID() };
        // A client repeats what was not acknowledged, under the same id.
        await eventually(async () => {
          const { status, body: message } = await client.post(`/api/rooms/${room}/messages`, body);
          const isPosted = status === 201 || status === 200;
          if (isPosted) said.push(message.id);
          return isPosted;
        });
      }
    })();
    const first = await socket.next("message");
    expect(first.message.content).toStartWith("two ");
    expect(await instances[0]?.stop()).toBe(0);
    await start(0);
    const count = said.length;
    await eventually(() => said.length >= count + 20);
    isOver = true;
    await posting;

    const stored: string[] = [];
    for (let before = ""; ; before = `&before=${stored[0]}`) {
      const { body } = await client.get(`/api/rooms/${room}/messages?limit=100${before}`);
      if (body.items.length === 0) break;
      stored.unshift(...body.items.map(({ id }: { id: string }) => id));
    }
    socket.close();
    expect(stored.toSorted()).toEqual(said.toSorted());
  });
});
