import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { unlockUser } from "../../src/accounts/administer.ts";
import { expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  // Callers' addresses come from the trusted proxy, so that each test has its own.
  // A busy machine takes its time to hash thirty passwords at once.
  world = await World.start({ TRUST_PROXY: "1" }, { callSeconds: 60 });
});
afterAll(() => world.stop());

let addresses = 0;
const newAddress = () => `203.0.113.${++addresses}`;

function login(username: string, password = PASSWORD, address = newAddress()) {
  const headers = { "x-forwarded-for": `10.9.8.7, ${address}` };
  return world.anonymous.call("POST", "/api/auth/login", { username, password }, headers);
}

/** Tries wrong passwords concurrently. */
function guess(times: number, username: (i: number) => string, address = newAddress()) {
  return Promise.all(
    Array.from({ length: times }, (_, i) => login(username(i), `bad guess ${i}`, address)),
  );
}

describe("signing in", () => {
  test.each(["lovelace", "LoveLace", "lovelace@example.org", " LOVELACE@Example.ORG "])(
    "accepts the username or email case-insensitively: %p",
    async (name) => {
      if (name === "lovelace") await world.person("lovelace", { displayName: "Ada" });
      const answer = await login(name);
      expect(answer).toMatchObject({ status: 200, body: { username: "lovelace" } });
      expect(answer.headers.get("set-cookie")).toStartWith("snug_session=");
    },
  );

  test("answers the same for an unknown name, a wrong password and a deactivated account", async () => {
    await world.person("known");
    await world.person("gone", { isActive: false });
    await world.person("machine", { isBot: true, passwordHash: null });
    const answers = [
      await login("nobody-here"),
      await login("known", "not the password"),
      await login("gone"),
      await login("machine"),
    ];
    const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
    const headers = new Set(answers.map((answer) => [...answer.headers.keys()].join()));
    expect([bodies.size, headers.size]).toEqual([1, 1]);
    expect([...headers][0]).not.toContain("set-cookie");
    for (const answer of answers) expectProblem(answer, 401, "invalid_credentials");
  });

  test("requires a name and a password", async () => {
    expectProblem(await world.anonymous.post("/api/auth/login", {}), 422, "validation");
    expectProblem(await login("known", ""), 422, "validation");
  });
});

describe("guessing at an account", () => {
  test("is refused after ten failures, by username and email together, from any address", async () => {
    await world.person("target");
    const failures = [
      ...(await guess(5, () => "target")),
      ...(await guess(5, () => "TARGET@example.org")),
    ];
    expect(failures.map(({ status }) => status)).toEqual(Array(10).fill(401));
    for (const name of ["target", "target@example.org"]) {
      const refused = await login(name);
      expectProblem(refused, 429, "rate_limited");
      const wait = Number(refused.headers.get("retry-after"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(15 * 60);
    }
    expect((await login("known")).status).toBe(200);
  });

  test("by strangers locks out neither an open session nor a known browser, and a command lifts it", async () => {
    const owner = await world.person("locked");
    const signIn = await login("locked");
    const cookie = signIn.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith("snug_browser="));
    const headers = { cookie: cookie?.split(";")[0] ?? "" };
    await guess(11, () => "locked");
    expectProblem(await login("locked"), 429, "rate_limited");
    const from = (username: string, password: string, sent: Record<string, string> = headers) =>
      world.anonymous.call(
        "POST",
        "/api/auth/login",
        { username, password },
        { ...sent, "x-forwarded-for": newAddress() },
      );
    expect((await from("locked", PASSWORD)).status).toBe(200);
    const proof = { password: PASSWORD };
    expect((await owner.post("/api/auth/proof", proof)).status).toBe(204);
    // It knows this account only, and its cookie cannot be made up.
    await world.person("locked-too");
    await guess(11, () => "locked-too");
    expect((await from("locked-too", PASSWORD)).status).toBe(429);
    const forged = { cookie: `${headers.cookie.slice(0, -4)}AAAA` };
    expect((await from("locked", PASSWORD, forged)).status).toBe(429);
    // The browser has a limit of its own.
    for (let i = 0; i < 10; i++) expect((await from("locked", "bad guess")).status).toBe(401);
    expect((await from("locked", PASSWORD)).status).toBe(429);
    await world.administer("locked", unlockUser);
    expect((await from("locked", PASSWORD)).status).toBe(200);
    expect((await login("locked")).status).toBe(200);
  });

  test("counts concurrent guesses", async () => {
    await world.person("parallel");
    const statuses = (await guess(16, () => "parallel")).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  });

  test("has the same limit for unknown accounts", async () => {
    const answers = await guess(11, (i) => (i % 2 ? "no-account" : "No-Account"));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  test("is possible again after the window", async () => {
    await world.person("patient");
    await guess(11, () => "patient");
    expect((await login("patient")).status).toBe(429);
    await world.database
      .sql`update rate_limits set expires_at = clock_timestamp() - interval '1 second'`;
    expect((await login("patient")).status).toBe(200);
  });

  test("does not count successes", async () => {
    await world.person("regular");
    await guess(9, () => "regular");
    for (let i = 0; i < 3; i++) expect((await login("regular")).status).toBe(200);
    expect((await login("regular", "a tenth failure")).status).toBe(401);
    expect((await login("regular")).status).toBe(429);
  });
});

describe("guessing from an address", () => {
  test("is refused after thirty failures for any accounts", async () => {
    await world.person("innocent");
    const address = newAddress();
    const failures = await guess(30, (i) => `someone-${i}`, address);
    expect(failures.map(({ status }) => status)).toEqual(Array(30).fill(401));
    expectProblem(await login("innocent", PASSWORD, address), 429, "rate_limited");
    expect((await login("innocent")).status).toBe(200);
  });

  test("adds no rows once the address is refused, and locks no account out", async () => {
    await world.person("bystander");
    const address = newAddress();
    await guess(30, (i) => `before-${i}`, address);
    const names = (i: number) => (i < 20 ? "bystander" : `after-${i}`);
    const refused = await guess(40, names, address);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    const rows = await world.database.sql<{ key: string }[]>`
      select key from rate_limits where key like 'login:account:after-%'`;
    expect(rows.map(({ key }) => key)).toEqual([]);
    expect((await login("bystander")).status).toBe(200);
  });

  test("counts a /64 of IPv6 as one address", async () => {
    await world.person("innocent6");
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => login(`six-${i}`, "bad guess", `2001:db8::${i + 1}`)),
    );
    expect((await login("innocent6", PASSWORD, "2001:db8:0:0:9::1")).status).toBe(429);
    expect((await login("innocent6", PASSWORD, "2001:db8:0:1::1")).status).toBe(200);
  });
});
