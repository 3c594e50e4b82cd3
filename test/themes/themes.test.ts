import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MAX_CUSTOM_THEMES } from "../../src/wire/limits.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());

const NAMES = [
  ...["background", "surface", "sidebar", "border", "text", "text_muted", "accent"],
  ...["accent_strong", "accent_soft", "highlight", "danger", "on_accent"],
];
const colors = Object.fromEntries(NAMES.map((name, i) => [name, `#0000${(16 + i).toString(16)}`]));

async function save(client: Client, name = "Mine", is_dark = true): Promise<string> {
  const { status, body } = await client.post("/api/custom-themes", { name, colors, is_dark });
  expect(status).toBe(201);
  return body.id;
}
const themeOf = async (client: Client) => {
  const { theme, active_custom_theme_id, active_custom_theme } = (await client.get("/api/auth/me"))
    .body;
  return { theme, active_custom_theme_id, active_custom_theme };
};

describe("a saved theme", () => {
  test("is created, listed, renamed, recoloured and deleted", async () => {
    const id = await save(ada, "  Forest ");
    const made = { id, name: "Forest", colors, is_dark: true, created_at: expect.any(String) };
    expect((await ada.get("/api/custom-themes")).body).toEqual({ items: [made], next: null });
    const changed = await ada.patch(`/api/custom-themes/${id}`, {
      name: "Wood",
      colors: { accent: "#abcdef" },
    });
    const wood = { ...made, name: "Wood", colors: { ...colors, accent: "#abcdef" } };
    expect(changed).toMatchObject({ status: 200, body: wood });
    expect((await ada.delete(`/api/custom-themes/${id}`)).status).toBe(204);
    expect((await ada.get("/api/custom-themes")).body.items).toEqual([]);
  });

  test.each([
    ["a name of a colour", { accent: "red" }],
    ["three digits", { accent: "#abc" }],
    ["capital letters", { accent: "#ABCDEF" }],
    ["with transparency", { accent: "#abcdef80" }],
    ["no text", { accent: "" }],
  ])("takes only what a native colour input yields: %s", async (_, wrong) => {
    const body = { name: "Odd", colors: { ...colors, ...wrong }, is_dark: true };
    expectProblem(await ada.post("/api/custom-themes", body), 422, "validation");
  });

  test("requires all twelve colours and a name", async () => {
    const { accent: _, ...eleven } = colors;
    const lacking = { name: "Odd", colors: eleven, is_dark: true };
    expectProblem(await ada.post("/api/custom-themes", lacking), 422, "validation");
    const nameless = { name: "  ", colors, is_dark: true };
    expectProblem(await ada.post("/api/custom-themes", nameless), 422, "validation");
  });

  test("belongs to its owner only", async () => {
    const id = await save(bob);
    const path = `/api/custom-themes/${id}`;
    expectProblem(await ada.patch(path, { name: "x" }), 404, "not_found");
    expectProblem(await ada.post(`${path}/activate`), 404, "not_found");
    expectProblem(await ada.delete(path), 404, "not_found");
    expect((await ada.get("/api/custom-themes")).body.items).toEqual([]);
  });
});

describe("the theme in use", () => {
  test("can be a saved one, which is remembered while a preset is used", async () => {
    const id = await save(ada);
    const tab = await ada.socket();
    const { status, body } = await ada.post(`/api/custom-themes/${id}/activate`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ theme: "custom", active_custom_theme: { id, colors } });
    expect(body.follows_system).toBe(false);
    expect((await tab.next("me_updated")).user).toEqual(body);
    await ada.patch("/api/auth/me", { theme: "sunset" });
    expect(await themeOf(ada)).toEqual({
      theme: "sunset",
      active_custom_theme_id: id,
      active_custom_theme: null,
    });
    expectProblem(await ada.patch("/api/auth/me", { theme: "custom" }), 422, "validation");
    tab.close();
  });

  test.each([
    [true, "dark"],
    [false, "light"],
  ])("moves to a preset when it is deleted (dark: %p)", async (is_dark, preset) => {
    const id = await save(ada, "Short", is_dark);
    await ada.post(`/api/custom-themes/${id}/activate`);
    await ada.delete(`/api/custom-themes/${id}`);
    expect(await themeOf(ada)).toEqual({
      theme: preset,
      active_custom_theme_id: null,
      active_custom_theme: null,
    });
  });

  test("stays the preset when the remembered theme is deleted", async () => {
    const id = await save(ada);
    await ada.post(`/api/custom-themes/${id}/activate`);
    await ada.patch("/api/auth/me", { theme: "midnight" });
    await ada.delete(`/api/custom-themes/${id}`);
    expect(await themeOf(ada)).toMatchObject({ theme: "midnight", active_custom_theme_id: null });
  });

  test("is in the answer to the sign-in", async () => {
    const id = await save(bob, "Bobs");
    await bob.post(`/api/custom-themes/${id}/activate`);
    const body = { username: "bob", password: "correct horse battery" };
    const signedIn = await world.anonymous.post("/api/auth/login", body);
    expect(signedIn.body).toMatchObject({ theme: "custom", active_custom_theme: { name: "Bobs" } });
  });

  test("and the saved one agree when it is deleted and activated concurrently", async () => {
    for (let i = 0; i < 10; i++) {
      const id = await save(ada);
      await Promise.all([
        ada.post(`/api/custom-themes/${id}/activate`),
        ada.delete(`/api/custom-themes/${id}`),
      ]);
      const { theme, active_custom_theme_id } = await themeOf(ada);
      expect([theme === "custom", active_custom_theme_id]).toEqual([false, null]);
    }
  });
});

test("an account has at most twenty themes, also with concurrent requests", async () => {
  const carol = await world.person("carol");
  const results = await Promise.all(
    Array.from({ length: MAX_CUSTOM_THEMES + 5 }, (_, i) =>
      carol.post("/api/custom-themes", { name: `Theme ${i}`, colors, is_dark: false }),
    ),
  );
  expect(results.filter((answer) => answer.status === 201)).toHaveLength(MAX_CUSTOM_THEMES);
  const match = results.find((answer) => answer.status !== 201);
  if (match) expectProblem(match, 409, "too_many_themes");
});
