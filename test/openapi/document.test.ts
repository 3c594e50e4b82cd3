import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import openapiTS, { astToString } from "openapi-typescript";
import { EXAMPLES } from "../../src/openapi/examples.ts";
import { COMPONENT_NAMES } from "../../src/openapi/schemas.ts";
import { MAX_CONTENT_LENGTH, MAX_NOTE_LENGTH } from "../../src/wire/limits.ts";
import { ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";

let world: World;
let folder: string;
type Document = { paths: Record<string, object>; components: { schemas: object } };
let document: Document;
beforeAll(async () => {
  world = await World.start();
  folder = await mkdtemp(join(tmpdir(), "snug-openapi-"));
  const answer = await world.anonymous.get("/api/openapi.json");
  expect(answer.status).toBe(200);
  document = answer.body;
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const ROOT = join(import.meta.dir, "../..");
async function run(words: string[], cwd = ROOT) {
  const child = Bun.spawn(words, {
    cwd,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { status: await child.exited, said: out + err };
}

describe("the description of the API", () => {
  test("names every route, and no route that is not there", () => {
    const declared = ROUTES.map(({ method, path }) => {
      return `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
    });
    const paths = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(paths.toSorted()).toEqual([...declared, "get /ws/chat"].toSorted());
  });

  test("says that a file comes with any type", () => {
    const { get } = document.paths["/api/rooms/{id}/files/{file_id}"] as {
      get: { responses: Record<string, { content: object }> };
    };
    for (const status of ["200", "206"]) {
      expect(Object.keys(get.responses[status]?.content ?? {})).toEqual(["*/*"]);
    }
  });

  test("has the frames and events of the socket as schemas", () => {
    const names = Object.keys(document.components.schemas);
    for (const name of ["JoinFrame", "MessageFrame", "RoomEvent", "UserEvent", "UnreadEvent"]) {
      expect(names).toContain(name);
    }
  });

  test.each([...EXAMPLES])("has a true example of %s", (name, example) => {
    const [schema] = [...COMPONENT_NAMES].find(([, component]) => component === name) ?? [];
    expect(schema).toBeDefined();
    if (schema) expect([...Value.Errors(schema, example)]).toEqual([]);
    const shown = (document.components.schemas as Record<string, { examples?: unknown[] }>)[name];
    expect(shown?.examples).toEqual([example]);
  });

  test("gives lengths in characters, as the service counts them", () => {
    const { PostMessage, EditMessage, MessageFrame, SaveDraft, SaveMessage } = document.components
      .schemas as Record<string, { properties: Record<string, { maxLength?: number }> }>;
    for (const schema of [PostMessage, EditMessage, MessageFrame, SaveDraft]) {
      expect(schema?.properties.content?.maxLength).toBe(MAX_CONTENT_LENGTH);
    }
    expect(SaveMessage?.properties.note?.maxLength).toBe(MAX_NOTE_LENGTH);
    expect(JSON.stringify(document)).not.toContain("maxCharacters");
  });

  test("says that a draft is cleared by its client_id with clears_draft", () => {
    const { SaveDraft, DraftCopy } = document.components.schemas as Record<
      string,
      { properties: Record<string, { description?: string }> }
    >;
    for (const schema of [SaveDraft, DraftCopy]) {
      expect(schema?.properties.client_id?.description).toContain("`clears_draft`");
    }
  });

  test("is kept by its ETag", async () => {
    const first = await fetch(`${world.service.address}/api/openapi.json`);
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const again = await fetch(`${world.service.address}/api/openapi.json`, { headers });
    expect(again.status).toBe(304);
  });
});

test("a client that was made of it compiles, and posts", async () => {
  const types = astToString(await openapiTS(document as never));
  await Bun.write(join(folder, "schema.d.ts"), types);
  await Bun.write(
    join(folder, "bot.ts"),
    `import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";
const [baseUrl = "", token = "", id = ""] = process.argv.slice(2);
const snug = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const { data, error } = await snug.POST("/api/rooms/{id}/messages", {
  params: { path: { id } },
  body: { content: "made by a generator" },
});
if (error) throw new Error(error.code);
const seq: number = data.seq;
const history = await snug.GET("/api/rooms/{id}/messages", { params: { path: { id }, query: { limit: 1 } } });
console.log(seq, history.data?.items[0]?.content);
`,
  );
  const config = {
    compilerOptions: {
      strict: true,
      module: "preserve",
      moduleResolution: "bundler",
      noEmit: true,
      target: "esnext",
      lib: ["esnext", "dom"],
      types: [],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      baseUrl: ".",
      paths: { "*": [join(ROOT, "node_modules/*")] },
    },
    files: ["bot.ts"],
  };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(config));
  await run(["ln", "-s", join(ROOT, "node_modules"), join(folder, "node_modules")]);
  await Bun.write(join(folder, "node.d.ts"), "declare const process: { argv: string[] };");
  await Bun.write(
    join(folder, "tsconfig.json"),
    JSON.stringify({ ...config, files: ["bot.ts", "node.d.ts"] }),
  );
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const compiled = await run([process.execPath, tsc, "-p", folder]);
  expect([compiled.status, compiled.said]).toEqual([0, ""]);

  const owner = await world.person("owner");
  const bot = await world.bot("generated", ["read:messages", "write:messages"]);
  const room = await world.room("robots", owner, [bot]);
  const { status, said } = await run(
    [process.execPath, join(folder, "bot.ts"), world.service.address, bot.token ?? "", room],
    folder,
  );
  expect([status, said]).toEqual([0, expect.stringMatching(/^\d+ made by a generator\n$/)]);
}, 240_000);
