/**
 * Every GET of the API and the commonest writes, on the demo grown to 500 people, 300 rooms and
 * 200,000 messages, by someone in all rooms. Anchor: Elysia's hello plus as many prepared one-row
 * selects as the route runs statements once its caches are filled. Fails where a route runs a statement
 * twice for one request, or unprepared; where a GET runs more than two behind the check of the session,
 * uses more CPU than it may, or falls below half of its anchor. Ends with the rows of docs/performance.md.
 *
 * `bun bench/routes.ts [seconds] [--only=rooms,browse]`: routes whose name contains one of these
 */
import { parseArgs } from "node:util";
import { urlOf } from "../src/database/target.ts";
import { createLoginChallenge } from "../src/sign-in/challenges.ts";
import { CHALLENGE_COOKIE } from "../src/wire/limits.ts";
import { formOf } from "../test/support/client.ts";
import { PNG } from "../test/support/images.ts";
import { ROUTES } from "../test/support/routes.ts";
import { Bed } from "./support/bed.ts";
import {
  countStatements,
  type Logged,
  logStatements,
  withStatements,
} from "./support/count-statements.ts";
import { withCpu } from "./support/cpu.ts";
import { growDemo } from "./support/grown-demo.ts";
import { type Target, wrk } from "./support/wrk.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" } },
});
const SECONDS = Number(positionals[0] ?? 2);
/** wrk takes whole seconds. */
const ANCHOR_SECONDS = Math.ceil(SECONDS / 2);
const ONLY = options.only.split(",");
const STARTED = performance.now();
const AT_ONCE = [16, 64];
const REACH = 0.5;
/** The check of the session and two more. */
const MAX_STATEMENTS = 3;
/** In the thread that is read. */
const REPLIES = 60;
/** CPU of one GET, in microseconds. */
const MAX_SERVICE_US = 120;
const MAX_POSTGRES_US = 150;
/** Why a route has no row. */
const LEFT_OUT: Record<string, string> = {
  "GET /api/openapi.json": "reads nothing of the database, and is made once",
  "GET /metrics": "is asked for a few times a minute",
  "GET /api/admin/audit-log.csv": "streams all of a table",
  "GET /api/search/messages": "is limited for each person: bench/search.ts measures it",
  "GET /api/auth/oidc/:slug/start": "waits for a provider's server",
  "GET /api/auth/oidc/:slug/callback": "waits for a provider's server",
  "GET /api/previews/:sha256":
    "serves a file as images do, and needs a picture from another server",
};

const bed = await Bed.make();
const { viewer, admin, rooms } = await growDemo(bed);
await countStatements(bed);
const { sql } = bed.database;
const service = await bed.start();
// What the demo has grown by is indexed for searches, which must not be counted.
while (
  (
    await sql`select where not exists (select from search_rooms)
    or exists (select from search_rooms where back_seq > 0)`
  ).length > 0
) {
  await Bun.sleep(1_000);
}
const anchor = Bun.spawn(
  [process.execPath, "bench/support/anchor-server.ts", urlOf(bed.postgres.connection)],
  { stdout: "pipe" },
);
const anchorPort = new TextDecoder().decode((await anchor.stdout.getReader().read()).value).trim();

const [room = ""] = rooms;
const [webhook] = await sql<{ id: string }[]>`
  insert into outgoing_webhooks (id, room_id, name, url, events, secret, created_by, after_seq)
  select gen_random_uuid(), ${room}, 'x', 'http://10.0.0.1/', '{message.created}', ''::bytea, user_id, 0
  from memberships where room_id = ${room} and role = 'owner' returning id`;
await sql`update memberships set role = 'admin' where user_id = ${viewer.id}`;
const mine = await sql<{ id: string }[]>`
  update messages set author_id = ${viewer.id} where room_id = ${room} and seq > 100 returning id`;
const [image] = await sql<{ room_id: string; sha256: string }[]>`
  select room_id, encode(sha256, 'hex') as sha256 from message_images limit 1`;
const [file] = await sql<
  { room_id: string; id: string }[]
>`select room_id, id from message_files limit 1`;
const [face] = await sql<
  { id: string }[]
>`select id from users where avatar_version is not null limit 1`;
const [bot] = await sql<{ id: string }[]>`
  insert into users (id, username, is_bot) values (gen_random_uuid(), 'bench-bot', true) returning id`;
await sql`insert into memberships (room_id, user_id, role)
  select r, ${viewer.id}, 'member' from unnest(${[image?.room_id, file?.room_id].map(String)}::uuid[]) r
  on conflict do nothing`;

const send = (method: string, path: string, { cookie }: { cookie: string }, body: object) =>
  fetch(service.address + path, {
    method,
    headers: {
      cookie,
      "sec-fetch-site": "same-origin",
      ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });

const direct: { id: string } = await (
  await send("POST", "/api/direct", viewer, { user_ids: [admin.id] })
).json();
for (let n = 0; n < REPLIES; n += 1) {
  const reply = { content: `Reply ${n}`, thread_id: mine[0]?.id };
  await (await send("POST", `/api/rooms/${room}/messages`, viewer, reply)).arrayBuffer();
}
await send("PUT", "/api/admin/settings/team/logo", admin, formOf(PNG, "logo.png"));
const waiting = await createLoginChallenge(bed.database.db, viewer.id, "127.0.0.1");
await sql`update login_challenges set expires_at = clock_timestamp() + interval '1 day'`;

/** What a path's parameters name; a route with others says them here. */
const PATHS: Record<string, string> = {
  "GET /api/rooms": "/api/rooms?limit=50",
  "GET /api/rooms/:id/changes": `/api/rooms/${room}/changes?after=600&limit=50`,
  "GET /api/rooms/:id/images/:sha256": `/api/rooms/${image?.room_id}/images/${image?.sha256}`,
  "GET /api/rooms/:id/files/:file_id": `/api/rooms/${file?.room_id}/files/${file?.id}`,
  "GET /api/direct/:id": `/api/direct/${direct.id}`,
  "GET /api/messages/:id": `/api/messages/${mine[1]?.id}`,
  "GET /api/messages/:id/thread": `/api/messages/${mine[0]?.id}/thread`,
  "GET /api/users/:id/avatar": `/api/users/${face?.id}/avatar`,
  "GET /api/admin/bots/:id/tokens": `/api/admin/bots/${bot?.id}/tokens`,
};

/** The callers of routes that are not for a session. */
const COOKIES: Record<string, string> = {
  "GET /api/auth/login/second": `${CHALLENGE_COOKIE}=${waiting}`,
};

type Run = { name: string; targets: Target[] };
const reads: Run[] = ROUTES.filter(
  ({ name, method }) => method === "GET" && !(name in LEFT_OUT),
).map(({ name, path, access }) => {
  const { cookie } = access === "administrator" ? admin : viewer;
  const filled = path.replace(":id", room).replace(":hook_id", webhook?.id ?? "");
  return { name, targets: [{ path: PATHS[name] ?? filled, cookie: COOKIES[name] ?? cookie }] };
});
reads.push({
  name: "GET /api/rooms?all=true",
  targets: [{ path: "/api/rooms?all=true", cookie: viewer.cookie }],
});
reads.push({
  name: "GET /api/rooms/:id/messages?before=",
  targets: [{ path: `/api/rooms/${room}/messages?before=${mine[200]?.id}`, cookie: viewer.cookie }],
});

const { cookie } = viewer;
const many = (make: (n: number) => Omit<Target, "cookie">) =>
  Array.from({ length: 500 }, (_, n) => ({ ...make(n), cookie }));
const writes: Run[] = [
  [
    "POST /api/rooms/:id/messages",
    () => ({ path: `/api/rooms/${room}/messages`, method: "POST", body: { content: "One more." } }),
  ],
  [
    "PATCH /api/messages/:id",
    (n: number) => ({
      path: `/api/messages/${mine[n]?.id}`,
      method: "PATCH",
      body: { content: "Edited." },
    }),
  ],
  [
    "POST /api/messages/:id/reactions",
    (n: number) => ({
      path: `/api/messages/${mine[n]?.id}/reactions`,
      method: "POST",
      body: { emoji: "👍" },
    }),
  ],
  [
    "POST /api/rooms/:id/read",
    (n: number) => ({ path: `/api/rooms/${rooms[n % 250]}/read`, method: "POST", body: {} }),
  ],
  [
    "PATCH /api/rooms/:id/membership",
    (n: number) => ({
      path: `/api/rooms/${rooms[n % 250]}/membership`,
      method: "PATCH",
      body: { notify: n % 2 ? "all" : "mentions" },
    }),
  ],
  [
    "PATCH /api/rooms/:id",
    (n: number) => ({
      path: `/api/rooms/${rooms[n % 250]}`,
      method: "PATCH",
      body: { description: `Topic ${n}` },
    }),
  ],
  [
    "PATCH /api/auth/me",
    (n: number) => ({ path: "/api/auth/me", method: "PATCH", body: { display_name: `Ada ${n}` } }),
  ],
  [
    "POST /api/rooms/:id/join",
    (n: number) => ({ path: `/api/rooms/${rooms[n % 250]}/join`, method: "POST", body: {} }),
  ],
].map(([name, make]) => ({ name: name as string, targets: many(make as (n: number) => Target) }));

const ask = async ({ path, method, cookie: own, body }: Target) => {
  const answer = await fetch(service.address + path, {
    method,
    headers: { cookie: own, "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: body && JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** The statements that are logged with each of two requests: others are of jobs and heartbeats. */
async function logOwn(request: () => Promise<void>): Promise<Logged[]> {
  const runs = [await logStatements(bed, request), await logStatements(bed, request)];
  const [fewer = [], more = []] = runs.toSorted((a, b) => a.length - b.length);
  return fewer.filter(({ text }) => more.some((one) => one.text === text));
}

let failed = 0;
/** A row of the last table for each route. */
const rows: string[] = [];
const perRequest = (seconds: number, requests: number) => Math.round((seconds / requests) * 1e6);
for (const { name, targets } of [...reads, ...writes].filter(({ name }) =>
  ONLY.some((part) => name.includes(part)),
)) {
  const [first] = targets as [Target];
  let status = 0;
  const request = async () => {
    status = await ask(first);
  };
  const cold = await logStatements(bed, request);
  // A write changes what the next one finds, and is logged once.
  const logged = first.method ? cold : await logOwn(request);
  if (status >= 400) {
    console.log(`${name}\n  FAULT answers ${status}: give it a path in PATHS`);
    failed += 1;
    continue;
  }
  const texts = logged.map(({ text }) => text);
  const faults = [
    ...(new Set(texts).size < texts.length ? ["runs a statement twice"] : []),
    ...logged
      .filter(({ isPrepared }) => !isPrepared)
      .map(({ text }) => `unprepared: ${text.slice(0, 90)}`),
  ];
  if (!first.method && logged.length > MAX_STATEMENTS) faults.push(`${logged.length} statements`);
  const cells: string[][] = [];
  for (const connections of AT_ONCE) {
    const load = { path: `/${logged.length}`, cookie };
    const hello = await withCpu({ service: anchor.pid, postmaster: bed.postmaster }, () =>
      wrk(bed, `http://127.0.0.1:${anchorPort}`, [load], connections, ANCHOR_SECONDS),
    );
    const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
      withStatements(bed, () => wrk(bed, service.address, targets, connections, SECONDS)),
    );
    const { rate, p50, p99, statements } = used.result;
    const requests = rate * SECONDS;
    const ratio = rate / hello.result.rate;
    const own = {
      service: perRequest(used.service, requests),
      postgres: perRequest(used.postgres, requests),
    };
    const base = {
      service: perRequest(hello.service, hello.result.rate * ANCHOR_SECONDS),
      postgres: perRequest(hello.postgres, hello.result.rate * ANCHOR_SECONDS),
    };
    if (!first.method) {
      if (ratio < REACH) faults.push(`${ratio.toFixed(2)}x at ${connections}`);
      if (own.service > MAX_SERVICE_US) faults.push(`service ${own.service} µs at ${connections}`);
      if (own.postgres > MAX_POSTGRES_US) {
        faults.push(`PostgreSQL ${own.postgres} µs at ${connections}`);
      }
    }
    const count = `${logged.length} (${cold.length} cold, ${(statements / requests).toFixed(2)} under load)`;
    console.log(
      `${name}, ${connections} at once: ${Math.round(rate)}/s, anchor ${Math.round(hello.result.rate)}/s, ${ratio.toFixed(2)}x; ` +
        `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms; service ${own.service} µs (anchor ${base.service}), ` +
        `PostgreSQL ${own.postgres} µs (anchor ${base.postgres}); statements ${count}`,
    );
    cells.push([
      `${Math.round(rate)}, ${ratio < REACH && !first.method ? `**${ratio.toFixed(2)}**` : ratio.toFixed(2)}`,
      `${p50.toFixed(1)}, ${p99.toFixed(1)}`,
      `${own.service} (${base.service})`,
      `${own.postgres} (${base.postgres})`,
    ]);
  }
  // Column by column, each at 16 and at 64.
  const [atFew = [], atMany = []] = cells;
  const columns = atFew.map((cell, n) => `${cell} · ${atMany[n]}`);
  rows.push(`| \`${name}\` | ${logged.length}, ${cold.length} | ${columns.join(" | ")} |`);
  for (const fault of faults) console.log(`  FAULT ${fault}`);
  failed += faults.length;
}
for (const [name, reason] of Object.entries(LEFT_OUT))
  console.log(`${name}: no row, it ${reason}.`);
console.log(`
Took ${Math.round((performance.now() - STARTED) / 60_000)} minutes. At 16 · at 64 at once. Behind the route's CPU that of its anchor, in
microseconds of one request. Below half of the anchor is bold.

| Route | Statements: warm, cold | Requests/s, of the anchor's | p50, p99 ms | Service | PostgreSQL |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}`);
anchor.kill();
await bed.clear();
process.exit(failed > 0 ? 1 : 0);
