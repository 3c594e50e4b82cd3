/**
 * Every GET of the API at 200 requests a second, on the demo grown to 2,000 people, 300 rooms and 200,000
 * messages, by someone in all rooms. Fails where p99 is above 50 ms, or where the list of the 300 rooms
 * makes fewer than 500 requests a second under full load. Ends with a table.
 *
 * `bun bench/routes.ts [seconds] [--only=rooms,browse]`: routes whose name contains one of these
 */
import { parseArgs } from "node:util";
import { createLoginChallenge } from "../src/sign-in/challenges.ts";
import { CHALLENGE_COOKIE } from "../src/wire/limits.ts";
import { formOf } from "../test/support/client.ts";
import { PNG } from "../test/support/images.ts";
import { ROUTES } from "../test/support/routes.ts";
import { Bed } from "./support/bed.ts";
import { sendAtRate } from "./support/constant-rate.ts";
import { withCpu } from "./support/cpu.ts";
import { growDemo } from "./support/grown-demo.ts";
import { wrk } from "./support/wrk.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" } },
});
const SECONDS = Number(positionals[0] ?? 5);
const ONLY = options.only.split(",");
const RATE = 200;
const MAX_P99_MS = 50;
/** Requests a second for the list of all rooms, 16 at a time. */
const MIN_LISTS = 500;
/** In the thread that is read. */
const REPLIES = 60;
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
const { sql } = bed.database;
const service = await bed.start();
await bed.untilIndexed();

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
  "GET /api/users/:id": `/api/users/${face?.id}`,
  "GET /api/users/:id/avatar": `/api/users/${face?.id}/avatar`,
  "GET /api/admin/bots/:id/tokens": `/api/admin/bots/${bot?.id}/tokens`,
  "GET /api/admin/bots/:id/scheduled": `/api/admin/bots/${bot?.id}/scheduled`,
};

/** The callers of routes that are not for a session. */
const COOKIES: Record<string, string> = {
  "GET /api/auth/login/second": `${CHALLENGE_COOKIE}=${waiting}`,
};

type Read = { name: string; path: string; cookie: string };
const reads: Read[] = ROUTES.filter(
  ({ name, method }) => method === "GET" && !(name in LEFT_OUT),
).map(({ name, path, access }) => {
  const { cookie } = access === "administrator" ? admin : viewer;
  const filled = path.replace(":id", room).replace(":hook_id", webhook?.id ?? "");
  return { name, path: PATHS[name] ?? filled, cookie: COOKIES[name] ?? cookie };
});
const { cookie } = viewer;
const LIST = "/api/rooms?all=true";
reads.push(
  { name: `GET ${LIST}`, path: LIST, cookie },
  {
    name: "GET /api/rooms/:id/messages?before=",
    path: `/api/rooms/${room}/messages?before=${mine[200]?.id}`,
    cookie,
  },
);

async function get({ name, path, cookie }: Read): Promise<void> {
  const response = await fetch(service.address + path, { headers: { cookie }, redirect: "manual" });
  await response.arrayBuffer();
  if (response.status >= 400) throw new Error(`${name} returns ${response.status}: see PATHS.`);
}

const faults: string[] = [];
const rows: string[] = [];
const isMeasured = (name: string) => ONLY.some((part) => name.includes(part));
for (const read of reads.filter(({ name }) => isMeasured(name))) {
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
    sendAtRate(() => get(read), RATE, SECONDS),
  );
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => used.result.p(share)) as [
    number,
    number,
    number,
  ];
  const cpuEach = (seconds: number) => Math.round((seconds / used.result.count) * 1e6);
  const cells = [p50.toFixed(1), p99.toFixed(1), max.toFixed(1)];
  rows.push(
    `| \`${read.name}\` | ${cells.join(" | ")} | ${cpuEach(used.service)} | ${cpuEach(used.postgres)} |`,
  );
  console.log(rows.at(-1));
  if (p99 > MAX_P99_MS) faults.push(`${read.name}: p99 is ${p99.toFixed(1)} ms.`);
}
if (isMeasured(`GET ${LIST}`)) {
  const { rate } = await wrk(bed, service.address, [{ path: LIST, cookie }], 16, SECONDS);
  console.log(`GET ${LIST}, 16 at a time: ${Math.round(rate)} requests/s.`);
  if (rate < MIN_LISTS) faults.push(`GET ${LIST}: ${Math.round(rate)} requests/s.`);
}
for (const [name, reason] of Object.entries(LEFT_OUT)) {
  console.log(`${name} has no row: it ${reason}.`);
}
console.log(`
At ${RATE} requests a second. CPU in microseconds of one request.

| Route | p50 ms | p99 ms | Longest ms | Service | PostgreSQL |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
`);
for (const fault of faults) console.log(`FAULT ${fault}`);
await bed.clear();
process.exit(faults.length > 0 ? 1 : 0);
