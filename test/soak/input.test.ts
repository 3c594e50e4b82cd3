import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TObject, TSchema } from "@sinclair/typebox";
import { FRAMES } from "../../src/wire/frames.ts";
import { CreateTheme } from "../../src/wire/requests.ts";
import type { AnyRoute } from "../../src/routing/route.ts";
import type { Client, Json } from "../support/client.ts";
import { hostileHeader, hostileValue, sampleOf, spoil } from "../support/hostile.ts";
import { ROUTES } from "../support/routes.ts";
import { repeats, seeded } from "../support/soak.ts";
import { World } from "../support/world.ts";

/** No request may take longer, whatever it holds. */
const PATIENCE_MS = 1_000;
/** What is not there, or does not answer, in a test: no fault of the input's. */
const KNOWN = new Set(["push_off", "delivery_failed", "provider_failed"]);
/** They would end the session that asks. */
const LEFT_OUT = new Set(["POST /api/auth/logout", "PUT /api/auth/me/password"]);

const random = seeded(20_261_122);
let world: World;
let ada: Client;
let ids: string[];
let hookPath: string;
beforeAll(async () => {
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  ada = await world.person("ada", { isSiteAdmin: true });
  const bob = await world.person("bob");
  const roomId = await world.room("fuzzed-room", ada, [bob]);
  const { id } = await ada.say(roomId, "hello");
  const response = await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: "CI" });
  hookPath = new URL(response.body.url).pathname;
  ids = [roomId, bob.user.id, id, response.body.id, Bun.randomUUIDv7()];
  const reply = await bob.say(roomId, "hello yourself", { thread_id: id });
  const create = async (path: string, body?: Json): Promise<string> =>
    (await ada.post(path, body)).body.id;
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const hooks = `/api/rooms/${roomId}/outgoing-webhooks`;
  const bot = await create("/api/admin/bots", { username: "machine" });
  const idp = { slug: "idp", name: "IdP", issuer: "http://127.0.0.1:9", client_id: "snug" };
  places = {
    "/api/messages/:id": reply.id,
    "/api/saved/:message_id": id,
    "/api/direct/:id": await create("/api/direct", { user_ids: [bob.user.id] }),
    "/api/scheduled/:id": await create("/api/scheduled", {
      room_id: roomId,
      content: "later",
      send_at: sendAt,
      zone: "UTC",
    }),
    ":hook_id": await create(hooks, {
      name: "CI",
      url: "http://127.0.0.1:9/",
      events: ["message.created"],
    }),
    "/api/custom-themes/:id": await create("/api/custom-themes", {
      name: "x",
      colors: COLORS,
      is_dark: true,
    }),
    "/api/admin/bots/:id": bot,
    ":token_id": await create(`/api/admin/bots/${bot}/tokens`, { name: "x", scopes: [] }),
    "/api/admin/identity-providers/:id": await create("/api/admin/identity-providers", idp),
    ":slug": "idp",
    "/api/admin/invites/:id": await create("/api/admin/invites", { email: "a@example.org" }),
    "/api/admin/invite-links/:id": await create("/api/admin/invite-links"),
    "/api/admin/users/:id": bob.user.id,
    "/api/rooms/:id": roomId,
  };
  expect(Object.entries(places).filter(([, one]) => !one)).toEqual([]);
});
afterAll(() => world.stop());

const inText = (value: Json) =>
  encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).toWellFormed());
/** What an address can hold; more is Bun's to refuse. */
const short = (value: Json) => inText(value).slice(0, 6_000).replace(/%.?$/, "");

/** What there is for a parameter: by its name, or by all of the path before it. */
let places: Record<string, string>;
const COLORS = Object.fromEntries(
  Object.keys(CreateTheme.properties.colors.properties).map((name) => [name, "#123456"]),
);

function pathOf({ path }: AnyRoute): string {
  return path.replace(/:\w+/g, (name, at: number) => {
    const own = places[path.slice(0, at) + name] ?? places[name];
    if (own && random() < 0.7) return own;
    const id = ids[Math.floor(random() * ids.length)] ?? "";
    // Not a dot alone: a client would resolve it.
    if (random() < 0.03) return "%E0%A4%A";
    return random() < 0.1 ? `x${short(hostileValue(random))}` : id;
  });
}

function queryOf({ query }: AnyRoute): string {
  const matches = Object.keys((query as TObject | undefined)?.properties ?? {}).flatMap((name) =>
    random() < 0.5 ? [`${name}=${short(hostileValue(random))}`] : [],
  );
  return matches.length > 0 ? `?${matches.join("&")}` : "";
}

async function ask(route: AnyRoute): Promise<void> {
  const schema = typeof route.body === "object" ? (route.body as TSchema) : undefined;
  const body = schema && spoil(sampleOf(schema, ids, random), random);
  const path = route.body === "webhook" ? hookPath : pathOf(route) + queryOf(route);
  const payload =
    route.body === "webhook" ? spoil(HOOKS[Math.floor(random() * HOOKS.length)], random) : body;
  const headers = random() < 0.2 ? hostileHeader(random) : {};
  if (route.body === "webhook" && random() < 0.5) headers["x-github-event"] = githubEvent();
  const started = performance.now();
  const answer = await ada.call(route.method, path, payload, headers);
  const ms = performance.now() - started;
  const code = answer.body?.code ?? answer.body;
  const told = `${route.name} ${path.slice(0, 300)} ${JSON.stringify(payload)?.slice(0, 300)}`;
  if (answer.status >= 500 && !KNOWN.has(code))
    throw new Error(`${answer.status} ${code}: ${told}`);
  if (ms > PATIENCE_MS) throw new Error(`${Math.round(ms)} ms: ${told}`);
  if (answer.body?.code === "validation") expectSentence(answer.body.detail, told);
}

function expectSentence(detail: string, told: string): void {
  const isSentence = /^[A-Z`].*[.!?]$/s.test(detail) && detail.length < 300;
  if (!isSentence || /Expected|Required property|Union|\{/.test(detail)) {
    throw new Error(`no sentence: ${detail}: ${told}`);
  }
}

const HOOKS: Json[] = [
  { text: "hello", username: "CI", icon_emoji: ":tada:" },
  { blocks: [{ type: "section", text: { type: "mrkdwn", text: "a" }, fields: [{ text: "b" }] }] },
  {
    blocks: [
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [{ type: "text", text: "a", style: { bold: true } }],
          },
        ],
      },
    ],
  },
  {
    attachments: [{ title: "a", title_link: "https://a.b", fields: [{ title: "t", value: "v" }] }],
  },
  { status: "firing", alerts: [{ status: "firing", labels: { alertname: "a" }, annotations: {} }] },
  {
    action: "opened",
    repository: { full_name: "a/b", html_url: "https://a.b" },
    sender: { login: "a" },
    commits: [{ id: "abc", message: "m", url: "u" }],
    ref: "refs/heads/main",
    issue: { number: 1, title: "t" },
    pull_request: { number: 1, title: "t", merged: true },
    release: { name: "v1" },
    workflow_run: { name: "w", conclusion: "success", head_branch: "b" },
  },
];

function githubEvent(): string {
  const events = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "push",
    "issues",
    "ping",
  ];
  return events[Math.floor(random() * events.length)] ?? "";
}

// What deletes comes last, so that the others have something to meet.
const routes = ROUTES.filter(({ name, body }) => !LEFT_OUT.has(name) && body !== "file").toSorted(
  (a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
);

test.each(routes)("$name takes hostile input", async (route) => {
  for (let n = repeats(2, 500); n > 0; n -= 1) await ask(route);
});

test.each(Object.entries(FRAMES))("a frame %s takes hostile input", async (_, { schema }) => {
  const bot = await world.bot(`bot-${Bun.randomUUIDv7().slice(-8)}`, [
    "read:messages",
    "write:messages",
  ]);
  const socket = await bot.socket();
  for (let n = repeats(5, 500); n > 0; n -= 1) {
    const frame = spoil(sampleOf(schema, ids, random), random);
    const started = performance.now();
    socket.send(frame);
    for (const event of await socket.drain()) expect(event).not.toMatchObject({ code: "internal" });
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  }
  socket.close();
});
