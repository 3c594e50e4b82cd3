import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MAX_ROOM_ORDER } from "../../src/wire/limits.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { displayName: "Ada" });
});
afterAll(() => world.stop());

const me = async (client = ada) => (await client.get("/api/auth/me")).body;

describe("the caller's profile", () => {
  test("has exactly the documented fields", async () => {
    expect(await me()).toEqual({
      id: ada.user.id,
      username: "ada",
      display_name: "Ada",
      avatar_url: null,
      is_bot: false,
      is_active: true,
      profile_version: 0,
      email: "ada@example.org",
      email_on_added: true,
      email_on_missed: true,
      keywords: [],
      quiet_hours: null,
      time_zone: null,
      sound: "none",
      push_paused_until: null,
      push_preview: "full",
      sidebar: { sort: "name", collapsed: ["archived"], order: [] },
      theme: "dark",
      follows_system: true,
      active_custom_theme_id: null,
      active_custom_theme: null,
      appear_offline: false,
      is_site_admin: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: 0,
    });
  });

  test("changes only the fields that are present", async () => {
    const before = await me();
    const midnight = { theme: "midnight", follows_system: false };
    const answer = await ada.patch("/api/auth/me", { theme: "midnight" });
    const changed = { ...before, ...midnight, version: before.version + 1 };
    expect(answer).toMatchObject({ status: 200, body: changed });
    await ada.patch("/api/auth/me", { appear_offline: true });
    const hidden = { ...changed, appear_offline: true, version: before.version + 2 };
    expect(await me()).toEqual(hidden);
    await ada.patch("/api/auth/me", {});
    expect(await me()).toEqual(hidden);
  });

  test("arranges the sidebar field by field, within bounds", async () => {
    const arrange = (sidebar: object) => ada.patch("/api/auth/me", { sidebar });
    const order = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    const before = await me();
    await Promise.all([arrange({ sort: "unread" }), arrange({ collapsed: ["rooms"] })]);
    const { body } = await arrange({ order, shade: "green" });
    expect(body.sidebar).toEqual({ sort: "unread", collapsed: ["rooms"], order });
    expect(body.version).toBe(before.version + 3);
    expect((await arrange({ collapsed: [] })).body.sidebar.sort).toBe("unread");
    const tooMany = Array.from({ length: MAX_ROOM_ORDER + 1 }, () => Bun.randomUUIDv7());
    for (const wrong of [
      { sort: "size" },
      { order: tooMany },
      { order: ["x"] },
      { collapsed: ["Rooms!"] },
    ]) {
      expectProblem(await arrange(wrong), 422, "validation");
    }
    await arrange({ sort: "name", order: [] });
  });

  test("has the time zone that was set, until it is removed", async () => {
    const before = await me();
    const set = (time_zone: string | null) => ada.patch("/api/auth/me", { time_zone });
    const { body } = await set("America/St_Johns");
    expect(body).toEqual({
      ...before,
      time_zone: "America/St_Johns",
      version: before.version + 1,
    });
    for (const zone of ["Mars/Olympus", ""]) expectProblem(await set(zone), 422, "validation");
    expect((await me()).time_zone).toBe("America/St_Johns");
    expect((await set(null)).body.time_zone).toBeNull();
  });

  test("follows the system until a theme is chosen, and again on request", async () => {
    const { body: before } = await ada.patch("/api/auth/me", { follows_system: true });
    expect(before.follows_system).toBe(true);
    const named = await ada.patch("/api/auth/me", { display_name: "Ada" });
    expect(named.body.follows_system).toBe(true);
    const chosen = await ada.patch("/api/auth/me", { theme: before.theme });
    expect(chosen.body).toMatchObject({ theme: before.theme, follows_system: false });
    const again = await ada.patch("/api/auth/me", { follows_system: true });
    expect(again.body).toMatchObject({ theme: before.theme, follows_system: true });
    const both = await ada.patch("/api/auth/me", { theme: "light", follows_system: true });
    expect(both.body).toMatchObject({ theme: "light", follows_system: true });
  });

  test("trims the display name, and null clears it", async () => {
    const named = await ada.patch("/api/auth/me", { display_name: "  Ada Lovelace \n" });
    expect(named.body.display_name).toBe("Ada Lovelace");
    const cleared = await ada.patch("/api/auth/me", { display_name: null });
    expect(cleared).toMatchObject({ status: 200, body: { display_name: null } });
  });

  test("accepts a display name of 80 code points and refuses 81", async () => {
    const most = "😀".repeat(80);
    const response = await ada.patch("/api/auth/me", { display_name: ` ${most} ` });
    expect(response.body.display_name).toBe(most);
    for (const display_name of ["😀".repeat(81), "a".repeat(81), "a".repeat(2_000)]) {
      expectProblem(await ada.patch("/api/auth/me", { display_name }), 422, "validation");
    }
    expect((await me()).display_name).toBe(most);
  });

  test.each([
    ["a display name with a line break", { display_name: "a\nb" }],
    ["an empty display name", { display_name: "" }],
    ["a blank display name", { display_name: " \t " }],
    ["a display name that is no text", { display_name: 7 }],
    ["a theme that is no preset", { theme: "neon" }],
    ["the theme of a palette", { theme: "custom" }],
    ["no theme", { theme: null }],
    ["a word for a truth", { appear_offline: "yes" }],
    ["null for a boolean", { follows_system: null }],
  ])("refuses %s and changes nothing", async (_, body) => {
    const before = await me();
    expectProblem(await ada.patch("/api/auth/me", { theme: "light", ...body }), 422, "validation");
    expect(await me()).toEqual(before);
  });

  test("ignores read-only fields", async () => {
    const before = await me();
    const answer = await ada.patch("/api/auth/me", {
      is_site_admin: true,
      username: "root",
      email: "root@example.org",
      password_hash: "x",
      id: Bun.randomUUIDv7(),
    });
    expect(answer.status).toBe(200);
    expect(await me()).toEqual(before);
  });

  test("is sent to the caller's other sockets", async () => {
    const socket = await ada.socket();
    await ada.patch("/api/auth/me", { theme: "sunset" });
    expect(await socket.next("me_updated")).toMatchObject({ user: { theme: "sunset" } });
    socket.close();
  });
});

describe("the password", () => {
  const change = (client: Client, current_password: string, new_password: string) =>
    client.put("/api/auth/me/password", { current_password, new_password });
  const canLogin = async (username: string, password: string) =>
    (await world.anonymous.post("/api/auth/login", { username, password })).status === 200;

  test("changes, and the other sessions and their sockets end", async () => {
    const client = await world.person("changer");
    const other = await world.signIn(client.user);
    const [socket, otherSocket] = [await client.socket(), await other.socket()];
    const answer = await change(client, PASSWORD, "another good password");
    expect(answer).toMatchObject({ status: 204, body: "" });
    expect((await otherSocket.closing()).code).toBe(4401);
    expect((await other.get("/api/auth/me")).status).toBe(401);
    expect((await client.get("/api/auth/me")).status).toBe(200);
    await socket.drain();
    socket.close();
    expect(await canLogin("changer", PASSWORD)).toBe(false);
    expect(await canLogin("changer", "another good password")).toBe(true);
  });

  test("is unchanged if the current one is wrong, as are all sessions", async () => {
    const client = await world.person("careful");
    const other = await world.signIn(client.user);
    const answer = await change(client, "not the password", "another good password");
    expectProblem(answer, 422, "validation");
    expect(answer.body.errors).toMatchObject([{ path: "/current_password" }]);
    expect((await other.get("/api/auth/me")).status).toBe(200);
    expect(await canLogin("careful", PASSWORD)).toBe(true);
  });

  test("has 10 to 256 characters", async () => {
    const client = await world.person("short");
    for (const password of ["123456789", "x".repeat(257), ""]) {
      expectProblem(await change(client, PASSWORD, password), 422, "validation");
    }
    expect((await change(client, PASSWORD, "xk2mq8vz1p")).status).toBe(204);
  });

  test("cannot be guessed from an open session: ten failures, concurrent or not", async () => {
    const client = await world.person("open-session");
    const other = await world.signIn(client.user);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        change(client, `bad guess ${i}`, "another good password"),
      ),
    );
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10);
    const refused = await change(client, PASSWORD, "another good password");
    expectProblem(refused, 429, "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Each session counts its own: nobody is locked out of the sign-in, or of another session.
    expect(await canLogin("open-session", PASSWORD)).toBe(true);
    expect((await change(other, PASSWORD, "another good password")).status).toBe(204);
  });

  test("can be changed any number of times with the current one", async () => {
    const client = await world.person("changes-often");
    const passwords = Array.from({ length: 12 }, (_, i) => `good password ${i}`);
    let current = PASSWORD;
    for (const next of passwords) {
      expect((await change(client, current, next)).status).toBe(204);
      current = next;
    }
  });
});
