import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
});
afterAll(() => world.stop());

test("a page reads who is signed in, or null, with status 200", async () => {
  const me = (await ada.get("/api/auth/me")).body;
  expect(await ada.get("/api/auth/session")).toMatchObject({ status: 200, body: { user: me } });
  for (const client of [world.anonymous, new Client(ada.base, `snug_session=${"a".repeat(43)}`)]) {
    expect(await client.get("/api/auth/session")).toMatchObject({
      status: 200,
      body: { user: null },
    });
  }
  await ada.post("/api/auth/logout");
  const signedOut = {
    user: null,
    is_restricted: false,
    team: expect.objectContaining({ name: "Snug" }),
  };
  expect((await ada.get("/api/auth/session")).body).toEqual(signedOut);
});

test("an invalid bearer token is refused", async () => {
  const headers = { authorization: "Bearer snug_nothing" };
  const answer = await world.anonymous.call("GET", "/api/auth/session", undefined, headers);
  expectProblem(answer, 401, "invalid_token");
});
