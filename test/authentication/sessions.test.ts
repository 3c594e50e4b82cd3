import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const status = async (client: Client) => (await client.get("/api/auth/me")).status;

/** Signs in over HTTP and returns the `Set-Cookie` headers: the session's, then the browser's. */
async function cookiesOf(at: World, username: string): Promise<string[]> {
  const answer = await at.anonymous.post("/api/auth/login", { username, password: PASSWORD });
  expect(answer.status).toBe(200);
  return answer.headers.getSetCookie();
}
const cookieOf = async (at: World, username: string) => (await cookiesOf(at, username))[0] ?? "";

const attributes = (cookie: string) =>
  cookie
    .split("; ")
    .slice(1)
    .map((attribute) => attribute.toLowerCase())
    .sort();

describe("the cookie", () => {
  test("over http is SameSite, HttpOnly and valid for 30 days", async () => {
    await world.person("plain");
    const [cookie = "", browserCookie = ""] = await cookiesOf(world, "plain");
    expect(cookie).toMatch(/^snug_session=[A-Za-z0-9_-]{43};/);
    expect(attributes(cookie)).toEqual(["httponly", "max-age=2592000", "path=/", "samesite=lax"]);
    expect(browserCookie).toMatch(/^snug_browser=[^;]+;/);
    expect(attributes(browserCookie)).toEqual([
      "httponly",
      "max-age=31536000",
      "path=/",
      "samesite=lax",
    ]);
  });

  test("over https is Secure and bound to the host as well", async () => {
    const secure = await World.start({ BASE_URL: "https://chat.example.org" });
    await secure.person("safe");
    const [cookie = "", browserCookie = ""] = await cookiesOf(secure, "safe");
    expect(browserCookie).toMatch(/^__Host-snug_browser=[^;]+;/);
    expect(attributes(browserCookie)).toContain("secure");
    expect(cookie).toMatch(/^__Host-snug_session=[A-Za-z0-9_-]{43};/);
    expect(attributes(cookie)).toEqual([
      "httponly",
      "max-age=2592000",
      "path=/",
      "samesite=lax",
      "secure",
    ]);
    const [pair = ""] = cookie.split(";");
    const at = secure.service.address;
    expect(await status(new Client(at, pair))).toBe(200);
    expect(await status(new Client(at, pair.replace("__Host-", "")))).toBe(401);
    await secure.stop();
  });

  test("is stored only as a hash", async () => {
    await world.person("hashed");
    const token = (await cookieOf(world, "hashed")).split(/[=;]/)[1] ?? "";
    const rows = await world.database.sql<{ row: string; hash: Buffer }[]>`
      select s::text as row, token_hash as hash from sessions s`;
    const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
    expect(rows.map((row) => row.hash.toString("hex"))).toContain(hash);
    expect(rows.map(({ row }) => row).join("\n")).not.toContain(token);
  });

  test.each(["", "x", "a".repeat(43), `${"a".repeat(42)}%00`, "%ff"])(
    "with an unknown token is refused with 401: %p",
    async (token) => {
      const answer = await new Client(world.service.address, `snug_session=${token}`).get(
        "/api/auth/me",
      );
      expectProblem(answer, 401, "unauthenticated");
    },
  );
});

describe("a session", () => {
  test("seen within the hour is not extended", async () => {
    const client = await world.person("busy");
    expect((await client.get("/api/auth/me")).headers.get("set-cookie")).toBeNull();
  });

  test("last seen two hours ago is extended to 30 days, as is its cookie", async () => {
    const { sql } = world.database;
    const client = await world.person("slider");
    await sql`update sessions set last_seen_at = clock_timestamp() - interval '2 hours',
      expires_at = clock_timestamp() + interval '1 day' where user_id = ${client.user.id}`;
    const answer = await client.get("/api/auth/me");
    expect(answer.headers.get("set-cookie")).toStartWith(`${client.cookie};`);
    expect(attributes(answer.headers.get("set-cookie") ?? "")).toContain("max-age=2592000");
    const [row] = await sql`select expires_at > clock_timestamp() + interval '29 days' as slid
      from sessions where user_id = ${client.user.id}`;
    expect(row?.slid).toBe(true);
    expect((await client.get("/api/auth/me")).headers.get("set-cookie")).toBeNull();
  });

  test("that has expired is refused, and is not listed", async () => {
    const client = await world.person("late");
    const other = await world.signIn(client.user);
    await world.database
      .sql`update sessions set expires_at = clock_timestamp() - interval '1 second'
      where user_id = ${client.user.id}`;
    expectProblem(await client.get("/api/auth/me"), 401, "unauthenticated");
    expect(await status(other)).toBe(401);
    const third = await world.signIn(client.user);
    expect((await third.get("/api/auth/me/sessions")).body.items).toHaveLength(1);
  });

  test("ends with logout, which closes only its sockets, with 4401", async () => {
    const client = await world.person("leaver");
    const other = await world.signIn(client.user);
    const [socket, otherSocket] = [await client.socket(), await other.socket()];
    const answer = await client.post("/api/auth/logout");
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toStartWith("snug_session=;");
    expect(attributes(answer.headers.get("set-cookie") ?? "")).toContain("max-age=0");
    expect((await socket.closing()).code).toBe(4401);
    expect(await status(client)).toBe(401);
    expect(await status(other)).toBe(200);
    await otherSocket.drain();
    otherSocket.close();
  });

  test("is refused when its user is deactivated, and stays ended after a reactivation", async () => {
    const client = await world.person("fired");
    const socket = await client.socket();
    expect(await status(client)).toBe(200);
    await world.administer("fired", deactivateUser);
    expectProblem(await client.get("/api/auth/me"), 401, "unauthenticated");
    expect((await socket.closing()).code).toBe(4401);
    await world.administer("fired", reactivateUser);
    expect(await status(client)).toBe(401);
  });
});

const idOf = ({ id }: { id: string }) => id;

describe("the list of sessions", () => {
  test("continues after a session that has ended since the page before", async () => {
    const client = await world.person("pager");
    for (let i = 0; i < 3; i++) await world.signIn(client.user);
    const all = (await client.get("/api/auth/me/sessions")).body.items.map(idOf);
    const first = (await client.get("/api/auth/me/sessions?limit=2")).body;
    await world.database.sql`delete from sessions where id = ${all[1]}`;
    const rest = (await client.get(`/api/auth/me/sessions?cursor=${first.next}`)).body;
    expect([...first.items, ...rest.items].map(idOf)).toEqual(all);
    const cursor = Buffer.from(all[0]).toString("base64url");
    expectProblem(await client.get(`/api/auth/me/sessions?cursor=${cursor}`), 422, "validation");
  });

  test("shows the caller's sessions only, with the current one marked", async () => {
    const client = await world.person("lister");
    const other = await world.signIn(client.user);
    await world.person("stranger");
    const { status, body } = await client.get("/api/auth/me/sessions");
    expect(status).toBe(200);
    expect(body).toEqual({
      items: Array.from({ length: 2 }, () => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        is_current: expect.any(Boolean),
        user_agent: "a test",
        method: "password",
        provider: null,
        address: "127.0.0.0/24",
        created_at: expect.stringMatching(/Z$/),
        last_seen_at: expect.stringMatching(/Z$/),
      })),
      next: null,
    });
    const current = (list: { id: string; is_current: boolean }[]) =>
      list.filter((item) => item.is_current).map((item) => item.id);
    const others = await other.get("/api/auth/me/sessions");
    expect(current(body.items)).toHaveLength(1);
    expect(current(others.body.items)).toHaveLength(1);
    expect(current(others.body.items)).not.toEqual(current(body.items));
  });

  test("can end one of the caller's sessions, and no others", async () => {
    const client = await world.person("ender");
    const other = await world.signIn(client.user);
    const stranger = await world.person("stranger2");
    const { items } = (await client.get("/api/auth/me/sessions")).body;
    const { id } = items.find((item: { is_current: boolean }) => !item.is_current);
    expectProblem(await stranger.delete(`/api/auth/me/sessions/${id}`), 404, "not_found");
    expect(await status(other)).toBe(200);
    expect((await client.delete(`/api/auth/me/sessions/${id}`)).status).toBe(204);
    expect(await status(other)).toBe(401);
    expect(await status(client)).toBe(200);
    expectProblem(await client.delete(`/api/auth/me/sessions/${id}`), 404, "not_found");
  });
});
