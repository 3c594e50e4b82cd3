import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { COMMANDS } from "../../src/cli/run.ts";
import { buildSbom } from "../../deploy/sbom.ts";
import { devDependencies } from "../../package.json";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);
const DOCS = join(import.meta.dir, "../../docs");

/** The examples of a page in one language, in their order. */
async function examples(page: string, language: string): Promise<string[]> {
  const text = await Bun.file(join(DOCS, `${page}.md`)).text();
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = ""]) => code);
}

let world: World;
let folder: string;
let owner: Client;
let bot: Client;
let room: string;
const started: Subprocess[] = [];
beforeAll(async () => {
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  folder = await mkdtemp(join(tmpdir(), "snug-docs-"));
  owner = await world.person("owner");
  bot = await world.bot("builds", ["read:messages", "write:messages"]);
  room = await world.room("robots", owner, [bot]);
});
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await Promise.all(started.map((child) => child.exited));
  await world.stop();
  await rm(folder, { recursive: true });
});

function start(command: string[], env: Record<string, string> = {}) {
  const SNUG_URL = world.service.address;
  const all = { SNUG_URL, SNUG_TOKEN: bot.token ?? "", ROOM_ID: room, PORT: "0", ...env };
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, ...all },
    stdout: "pipe",
    stderr: "inherit",
  });
  started.push(child);
  return child;
}

const textsOf = async () =>
  (await owner.get(`/api/rooms/${room}/messages`)).body.items.map(
    ({ content }: { content: string }) => content,
  );

describe("webhooks.md", () => {
  test("posts with curl and with Python", async () => {
    const response = await owner.post(`/api/rooms/${room}/incoming-webhooks`, { name: "builds" });
    const WEBHOOK_URL = world.service.address + new URL(response.body.url).pathname;
    const [curl = ""] = await examples("webhooks", "sh");
    expect(await start(["sh", "-ec", curl], { WEBHOOK_URL }).exited).toBe(0);
    if (Bun.which("python3")) {
      const [python = ""] = await examples("webhooks", "python");
      expect(await start(["python3", "-c", python], { WEBHOOK_URL }).exited).toBe(0);
    }
    expect(await textsOf()).toContain("Build 417 is **green**");
  });

  test("reads and writes as a bot with curl", async () => {
    const [, curl = ""] = await examples("webhooks", "sh");
    const child = start(["sh", "-ec", curl]);
    expect(await new Response(child.stdout).text()).toContain('"robots"');
    expect(await child.exited).toBe(0);
    expect(await textsOf()).toContain("Hello from curl");
  });

  // Go comes with no package of npm: its example runs where Go is.
  const LANGUAGES: [name: string, language: string, index: number, run: string[], file: string][] =
    [
      ["TypeScript", "ts", 0, [process.execPath], "bot.ts"],
      ["Python", "python", 1, ["python3"], "bot.py"],
      // The program itself is what is started and ended: `go run` would leave it running.
      ["Go", "go", 0, ["sh", "-ec", 'go build -o bot "$0"; exec ./bot'], "bot.go"],
    ];
  const runnable = LANGUAGES.filter(([name]) => name !== "Go" || Bun.which("go")).filter(
    ([, , , [program = ""]]) => Bun.which(program),
  );
  test.each(runnable)(
    "has a bot in %s that answers what is signed",
    async (name, language, index, run, file) => {
      const secret = `whsec_${Buffer.alloc(32, name).toString("base64")}`;
      await Bun.write(join(folder, file), (await examples("webhooks", language))[index] ?? "");
      // Its secret is known only once the webhook is there, which needs its port.
      const free = Bun.serve({ port: 0, fetch: () => new Response() });
      const PORT = String(free.port);
      const url = `http://127.0.0.1:${PORT}/`;
      const hook = { name, url, events: ["message.created"] };
      const response = await owner.post(`/api/rooms/${room}/outgoing-webhooks`, hook);
      await free.stop(true);
      const env = { WEBHOOK_SECRET: response.body.secret, PORT };
      const child = start([...run, file], env);
      // It is read on, or the program's next word would end it.
      const output = child.stdout.getReader();
      for (let said = ""; !said.includes("Listening on");) {
        const { value, done } = await output.read();
        if (done) throw new Error(`It ended: ${said}`);
        said += new TextDecoder().decode(value);
      }
      const forged = await fetch(url, {
        method: "POST",
        headers: {
          "webhook-id": "x",
          "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
          "webhook-signature": `v1,${secret}`,
        },
        body: JSON.stringify({ type: "message.created", data: {} }),
      });
      expect(forged.status).toBe(401);
      const socket = await owner.socket();
      socket.send({ type: "join", room_id: room });
      await socket.next("joined");
      await owner.say(room, "!ping");
      const { message } = await socket.next((event) => event.message?.content === "pong");
      expect(message.author.username).toBe("builds");
      socket.close();
      await owner.delete(`/api/rooms/${room}/outgoing-webhooks/${response.body.id}`);
      child.kill("SIGKILL");
    },
  );
});

describe("bots.md", () => {
  test("posts into one thread with curl", async () => {
    const response = await owner.post(`/api/rooms/${room}/incoming-webhooks`, { name: "threads" });
    const address = world.service.address + new URL(response.body.url).pathname;
    const [curl = ""] = await examples("bots", "sh");
    const command = curl.replaceAll("https://chat.example.org/hooks/…", address);
    expect(await start(["sh", "-ec", command]).exited).toBe(0);
    const { items } = (await owner.get(`/api/rooms/${room}/messages`)).body;
    const find = (text: string) =>
      items.find(({ content }: { content: string }) => content === text);
    expect(find("Build 42 is green").thread_id).toBe(find("Build 42 has begun").id);
  });

  test("has a line for cron that posts", async () => {
    const [, crontab = ""] = await examples("bots", "sh");
    const [, command = ""] = /^[\d*,-]+(?: [\d*,-]+){4} (.+)$/m.exec(crontab) ?? [];
    const names = [...crontab.matchAll(/^([A-Z]+)=/gm)].map(([, name]) => name);
    expect(names).toEqual(["SNUG", "ROOM", "TOKEN"]);
    const env = { SNUG: world.service.address, ROOM: room, TOKEN: bot.token ?? "" };
    expect(await start(["sh", "-ec", command], env).exited).toBe(0);
    expect(await textsOf()).toContain("Stand-up!");
  });
});

describe("the commands of every page", () => {
  const NAMES = COMMANDS.map(({ name }) => name);

  test("are those that there are, with their options", async () => {
    const unknown: string[] = [];
    for (const file of (await readdir(DOCS, { recursive: true })).filter((name) =>
      name.endsWith(".md"),
    )) {
      for (const block of await examples(file.slice(0, -3), "sh")) {
        for (const line of block.split("\n")) {
          const [, called = ""] = /\b(?:bun cli\.ts|\.\/snug) ([^#\n]*)/.exec(line) ?? [];
          if (called.trim() === "") continue;
          const command = COMMANDS.filter(({ name }) =>
            `${called.trim()} `.startsWith(`${name} `),
          ).sort((a, b) => b.name.length - a.name.length)[0];
          const options = [...called.matchAll(/--([a-z-]+)/g)].map(([, option = ""]) => option);
          const known = [...Object.keys(command?.options ?? {}), "json", "help"];
          if (!command || options.some((option) => !known.includes(option)))
            unknown.push(`${file}: ${line}`);
        }
      }
    }
    expect(unknown).toEqual([]);
    expect(NAMES).toContain("backup");
  });
});

test("the bill of materials names every package that runs, with its checksum and licence", async () => {
  const { components } = await buildSbom();
  const names = components.map(({ name }) => name);
  // Of the service, of the client, and what those need.
  for (const name of ["sharp", "preact", "postgres", "linkedom", "busboy", "streamsearch"]) {
    expect(names).toContain(name);
  }
  expect(names.filter((name) => name in devDependencies)).toEqual([]);
  expect(new Set(components.map((component) => component["bom-ref"])).size).toBe(components.length);
  for (const { licenses, hashes, purl } of components) {
    expect(JSON.stringify(licenses)).toMatch(/"(?:id|expression)":"[\w. ()-]+"/);
    expect([purl, hashes?.[0]?.content.length]).toEqual([purl, 128]);
  }
});
