import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { turnOnTotp } from "../support/factors.ts";
import { PASSWORD, World } from "../support/world.ts";

const PATH = "/api/admin/users";

let world: World;
let admin: Client;
let grace: Client;
let people = 0;
/** Of each test, and in the names of its people. */
let tag: string;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
});
beforeEach(async () => {
  tag = `t${people++}t`;
  grace = await world.person(`grace-${tag}`, { displayName: `Grace Hopper-${tag}` });
});
afterAll(() => world.stop());

const act = (client: Client, verb: string, by = admin) =>
  by.post(`${PATH}/${client.user.id}/${verb}`);
const names = async (query = "") =>
  (await admin.get(`${PATH}${query}`)).body.items.map(
    (user: { username: string }) => user.username,
  );
const login = (password: string) =>
  world.anonymous.post("/api/auth/login", { username: grace.user.username, password });

describe("the list of accounts", () => {
  test("has exactly the fields for administrators", async () => {
    const { body } = await admin.get(`${PATH}?query=HOPPER-${tag}`);
    // Not which rooms someone has put in which order, nor what words they listen for.
    const { sidebar: _, keywords: __, ...account } = (await grace.get("/api/auth/me")).body;
    expect(body).toEqual({
      items: [
        {
          ...account,
          last_seen_at: expect.stringMatching(/Z$/),
          keeps_password: false,
          has_second_factor: false,
        },
      ],
      next: null,
    });
    expect(JSON.stringify(body)).not.toContain("argon2");
  });

  test("is searched by name and address, filtered and paginated", async () => {
    await world.person(`alan-${tag}`, { isActive: false });
    await admin.post("/api/admin/bots", { username: `machine-${tag}` });
    const [alan, hopper, machine] = ["alan", "grace", "machine"].map((name) => `${name}-${tag}`);
    const found = (query: string) => names(`?query=${tag}${query}`);
    expect(await found("")).toEqual([alan, hopper, machine]);
    expect(await found("&kind=person")).toEqual([alan, hopper]);
    expect(await found("&kind=bot")).toEqual([machine]);
    expect(await found("&status=deactivated")).toEqual([alan]);
    expect(await names(`?query=GRACE-${tag}@example`)).toEqual([hopper]);
    expect(await names("?query=%25")).toEqual([]);
    const { body } = await admin.get(`${PATH}?query=${tag}&limit=2`);
    expect(await found(`&limit=2&cursor=${body.next}`)).toEqual([machine]);
    // Without a condition all are listed, by name.
    const all = await names();
    expect(all).toEqual(expect.arrayContaining(["ada", alan, hopper, machine]));
    expect(all).toEqual(all.toSorted());
    expectProblem(await admin.get(`${PATH}?status=asleep`), 422, "validation");
  });

  test("shows every change of an account at once, although it is cached", async () => {
    const parts =
      "background surface sidebar border text text_muted accent accent_strong accent_soft highlight danger on_accent";
    const colors = Object.fromEntries(parts.split(" ").map((part) => [part, "#123456"]));
    const theme = { name: "mine", colors, is_dark: true };
    const { id } = (await grace.post("/api/custom-themes", theme)).body;
    const changes: (() => Promise<unknown>)[] = [
      () => grace.patch("/api/auth/me", { display_name: "Amazing" }),
      () => grace.post(`/api/custom-themes/${id}/activate`),
      () => grace.patch(`/api/custom-themes/${id}`, { name: "renamed" }),
      () => act(grace, "promote"),
      () => admin.patch(`${PATH}/${grace.user.id}`, { keeps_password: true }),
      () => turnOnTotp(grace),
      () => act(grace, "deactivate"),
    ];
    const listed = async () => (await admin.get(`${PATH}?query=${tag}`)).body.items[0];
    for (const change of changes) {
      const before = await listed();
      await change();
      const after = await listed();
      expect(after).not.toEqual(before);
      expect((await admin.get(`${PATH}?query=${tag}&limit=7`)).body.items[0]).toEqual(after);
    }
  });
});

describe("an account", () => {
  test("that is deactivated is signed out, and stays so after a reactivation", async () => {
    const socket = await grace.socket();
    expect(await act(grace, "deactivate")).toMatchObject({
      status: 200,
      body: { is_active: false },
    });
    expect((await socket.closing()).code).toBe(4401);
    expectProblem(await grace.get("/api/auth/me"), 401, "unauthenticated");
    expectProblem(await login(PASSWORD), 401, "invalid_credentials");
    expect(await act(grace, "reactivate")).toMatchObject({
      status: 200,
      body: { is_active: true },
    });
    expectProblem(await grace.get("/api/auth/me"), 401, "unauthenticated");
    expect((await login(PASSWORD)).status).toBe(200);
  });

  test("that is promoted can administer until it is demoted", async () => {
    expectProblem(await grace.get(PATH), 403, "not_site_admin");
    expect((await act(grace, "promote")).body.is_site_admin).toBe(true);
    expect((await grace.get(PATH)).status).toBe(200);
    expect((await act(grace, "demote")).body.is_site_admin).toBe(false);
    expectProblem(await grace.get(PATH), 403, "not_site_admin");
  });

  test("gets the chosen password, or a generated one that is shown once", async () => {
    const response = await admin.post(`${PATH}/${grace.user.id}/reset-password`, {
      password: "moths in relay 70",
    });
    expect(response).toMatchObject({
      status: 200,
      body: { username: grace.user.username, password: null },
    });
    expectProblem(await grace.get("/api/auth/me"), 401, "unauthenticated");
    expect((await login("moths in relay 70")).status).toBe(200);
    const made = await act(grace, "reset-password");
    expect((await login(made.body.password)).status).toBe(200);
    const bad = { password: "short" };
    expectProblem(
      await admin.post(`${PATH}/${grace.user.id}/reset-password`, bad),
      422,
      "validation",
    );
  });
});

describe("administrators are not locked out", () => {
  test("by themselves", async () => {
    await act(grace, "promote");
    expectProblem(await act(admin, "deactivate"), 409, "self_lockout");
    expectProblem(await act(admin, "demote"), 409, "self_lockout");
    expect((await admin.get(PATH)).status).toBe(200);
  });

  test.each(["demote", "deactivate"])("by two administrators who %s each other", async (verb) => {
    // Nobody else may be an administrator: a world of their own.
    const alone = await World.start();
    const [first, second] = (await Promise.all(
      ["first", "second"].map((name) => alone.person(name, { isSiteAdmin: true })),
    )) as [Client, Client];
    const answers = await Promise.all([act(second, verb, first), act(first, verb, second)]);
    // The second is refused as the last administrator, or because it no longer is one.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = await alone.database.sql`select from users where is_site_admin and is_active`;
    expect(rows).toHaveLength(1);
    await alone.stop();
  });
});

describe("two administrators", () => {
  test("who act on each other do not wait for each other", async () => {
    for (let n = 0; n < 5; n++) {
      const names = [`first-${n}`, `second-${n}`].map((name) =>
        world.person(name, { isSiteAdmin: true }),
      );
      const [first, second] = (await Promise.all(names)) as [Client, Client];
      const answers = await Promise.all([
        act(first, "deactivate", second),
        act(second, "deactivate", first),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  });
});
