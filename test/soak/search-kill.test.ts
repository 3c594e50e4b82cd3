import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import type { SearchResults } from "../../src/wire/models.ts";
import { Client } from "../support/client.ts";
import { Running } from "../support/process.ts";
import { repeats } from "../support/soak.ts";

const TIMEOUT = 600_000;
/** A killed process holds its jobs for half a minute, so the suite does without. */
const KILLS = repeats(0, 5);
/** Longer than a lease. */
const PATIENCE_MS = 60_000;

let home: string;
let env: { DATA_DIR: string };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-search-kill-"));
  env = { DATA_DIR: join(home, "data") };
});
afterAll(async () => {
  if (KILLS > 0) await (await startEmbedded(env.DATA_DIR)).release();
  await rm(home, { recursive: true });
}, TIMEOUT);

test.skipIf(KILLS === 0)(
  "whatever was posted is found, however often the process that indexes it is killed",
  async () => {
    let running = await Running.start(env);
    const token = running.signupLink.split("#token=")[1] ?? "";
    const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
    const signedUp = await new Client(running.address).post("/api/signup", ada);
    const cookie = signedUp.headers.get("set-cookie")?.split(";")[0] ?? "";
    const client = () => new Client(running.address, cookie);
    const { body: room } = await client().post("/api/rooms", { name: "stream", privacy: "open" });
    const posted = new Set<string>();
    const path = `/api/rooms/${room.id}/messages`;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const until = performance.now() + 1_000 + Math.random() * 1_500;
      const write = async () => {
        while (performance.now() < until) {
          const content = `ostrich${crypto.randomUUID().replaceAll("-", "")}`;
          const answer = await client()
            .post(path, { content })
            .catch(() => null);
          if (answer?.status === 201) posted.add(content);
        }
      };
      const writers = Promise.all([write(), write(), write(), write()]);
      await writers;
      await running.kill();
      running = await Running.start(env);
    }
    const deadline = performance.now() + PATIENCE_MS;
    let found = new Set<string>();
    while (found.size < posted.size && performance.now() < deadline) {
      found = new Set(await findAll(client()));
      await Bun.sleep(1_000);
    }
    expect([...posted].filter((content) => !found.has(content))).toEqual([]);
    await running.stop();
  },
  TIMEOUT,
);

/** Every message that a search finds, page by page, no faster than people may search. */
async function findAll(client: Client): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; await Bun.sleep(210)) {
    const more: string = cursor && `&cursor=${cursor}`;
    const { body } = await client.get(`/api/search/messages?q=ostrich&limit=50${more}`);
    const page = body as SearchResults;
    texts.push(...page.items.map(({ message }) => message.content ?? ""));
    cursor = page.next;
  }
  return texts;
}
