import { afterAll, beforeAll, expect, test } from "bun:test";
import { MAX_SESSIONS } from "../../src/wire/limits.ts";
import type { Client } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Inserts sessions beyond the limit, all older than the client's. */
async function openMany({ user }: Client, count: number): Promise<void> {
  await world.database.sql`
    insert into sessions (id, user_id, token_hash, last_seen_at, expires_at)
    select gen_random_uuid(), ${user.id}, sha256(${user.id}::bytea || n::text::bytea),
      clock_timestamp() - interval '1 hour', clock_timestamp() + interval '1 day'
    from generate_series(1, ${count}::int) as s(n)`;
}
const countOf = async ({ user }: Client) =>
  (await world.database.sql`select from sessions where user_id = ${user.id}`).length;

test("the password can be changed with any number of other sessions", async () => {
  const client = await world.person("many");
  const other = await world.signIn(client.user);
  await openMany(client, 5_000);
  const [socket, otherSocket] = [await client.socket(), await other.socket()];
  const new_password = "another good password";
  const body = { current_password: PASSWORD, new_password };
  expect((await client.put("/api/auth/me/password", body)).status).toBe(204);
  expect((await otherSocket.closing()).code).toBe(4401);
  expect(await countOf(client)).toBe(1);
  await socket.drain();
  socket.close();
});

test("a sign-in beyond the limit ends the least recently seen session and closes its sockets", async () => {
  const oldest = await world.person("limited");
  const second = await world.signIn(oldest.user);
  const socket = await oldest.socket();
  const secondSocket = await second.socket();
  for (let i = 2; i < MAX_SESSIONS; i++) await world.signIn(oldest.user);
  expect((await oldest.get("/api/auth/me")).status).toBe(200);
  const username = "limited";
  const login = await world.anonymous.post("/api/auth/login", { username, password: PASSWORD });
  expect(login.status).toBe(200);
  expect((await socket.closing()).code).toBe(4401);
  expect((await oldest.get("/api/auth/me")).status).toBe(401);
  const list = await second.get("/api/auth/me/sessions?limit=200");
  expect(list.body.items).toHaveLength(MAX_SESSIONS);
  await secondSocket.drain();
  secondSocket.close();
});

test("concurrent sign-ins respect the limit", async () => {
  const client = await world.person("crowded");
  await openMany(client, 500);
  const clients = await Promise.all(Array.from({ length: 20 }, () => world.signIn(client.user)));
  expect(await countOf(client)).toBe(MAX_SESSIONS);
  const answers = await Promise.all(clients.map((client) => client.get("/api/auth/me")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
