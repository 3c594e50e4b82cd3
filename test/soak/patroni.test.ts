import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "../support/client.ts";
import { hasPatroni, Patroni } from "../support/patroni.ts";
import { Running } from "../support/process.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(90_000);
const AROUND = 100;

/** Two instances on what Patroni keeps; half a minute each, so it is not part of the suite. */
describe.skipIf(!process.env.SNUG_SOAK || !hasPatroni)("on a database that Patroni keeps", () => {
  let folder: string;
  let patroni: Patroni;
  let instances: Running[] = [];
  let cookie: string;
  let room: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "snug-on-patroni-"));
    patroni = await Patroni.start();
    const env = { DATA_DIR: folder, DATABASE_URL: patroni.url("postgres") };
    const first = await Running.start(env);
    instances = [first];
    const token = first.signupLink.split("#token=")[1] ?? "";
    const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
    const signedUp = await new Client(first.address).post("/api/signup", ada);
    cookie = signedUp.headers.get("set-cookie")?.split(";")[0] ?? "";
    const response = await new Client(first.address, cookie).post("/api/rooms", {
      name: "hall",
      privacy: "open",
    });
    room = response.body.id;
    instances.push(await Running.start(env));
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await patroni?.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    ["its leader is switched", () => patroni.switchOver()],
    ["the leader's machine fails", () => patroni.killLeader()],
  ] as const)(
    "nothing acknowledged is lost while %s, and both instances go on",
    async (what, change) => {
      const clients = instances.map(({ address }) => new Client(address, cookie));
      const sockets = await Promise.all(clients.map((client) => client.socket()));
      for (const socket of sockets) socket.send({ type: "join", room_id: room });
      await Promise.all(sockets.map((socket) => socket.next("joined")));
      const said: string[] = [];
      let longest = 0;
      let changed = false;
      const post = async (client: Client) => {
        const body = { content: crypto.randomUUID(), client_id: crypto.randomUUID() };
        const begun = performance.now();
        for (;;) {
          const { status } = await client.post(`/api/rooms/${room}/messages`, body);
          if (status === 201 || status === 200) break;
          if (status !== 503) throw new Error(instances.map(({ output }) => output).join("\n"));
          await Bun.sleep(20);
        }
        longest = Math.max(longest, performance.now() - begun);
        said.push(body.content);
      };
      const changing = (async () => {
        await eventually(() => said.length >= AROUND, 60_000);
        await change();
        changed = true;
      })();
      const talk = async (client: Client) => {
        for (let after = 0; after < AROUND;) {
          await post(client);
          // The change has been noticed once a message had to wait for it.
          if (changed && longest > 300) after += 1;
        }
      };
      await Promise.all(clients.map(talk));
      await changing;
      for (const socket of sockets) {
        await socket.next((event) => event.message?.content === said.at(-1));
        const heard = socket.heard.filter(({ type }) => type === "message");
        // Each once, on both instances, whatever the order in which they were acknowledged.
        expect(heard.map(({ message }) => message.content).sort()).toEqual(said.toSorted());
        socket.close();
      }
      process.stdout.write(`${what}: the longest wait of a message ${Math.round(longest)} ms\n`);
    },
  );
});
