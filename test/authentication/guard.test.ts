import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkReauthentication } from "../../src/sign-in/reauthentication.ts";
import type { Actor } from "../../src/routing/actor.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
});
afterAll(() => world.stop());

const FOREIGN: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

describe("a request from another site's page", () => {
  test("changes nothing, with any method", async () => {
    const roomId = await world.room("safe", ada);
    const calls: [string, string, unknown][] = [
      ["POST", "/api/rooms", { name: "forged", privacy: "open" }],
      ["POST", `/api/rooms/${roomId}/messages`, { content: "forged" }],
      ["PATCH", "/api/auth/me", { theme: "light" }],
      ["PUT", "/api/auth/me/password", { current_password: PASSWORD, new_password: "forged one" }],
      ["DELETE", `/api/rooms/${roomId}`, undefined],
      ["POST", "/api/auth/logout", undefined],
    ];
    for (const headers of FOREIGN) {
      for (const [method, path, body] of calls) {
        expectProblem(await ada.call(method, path, body, headers), 403, "cross_origin");
      }
    }
    expect((await ada.get("/api/auth/me")).body.theme).toBe("dark");
    expect((await ada.get(`/api/rooms/${roomId}`)).status).toBe(200);
    expect((await ada.get("/api/rooms")).body.items).toHaveLength(1);
  });

  test("cannot sign in", async () => {
    const body = { username: "ada", password: PASSWORD };
    for (const headers of FOREIGN) {
      const answer = await world.anonymous.call("POST", "/api/auth/login", body, headers);
      expectProblem(answer, 403, "cross_origin");
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  test("can read, since browsers hide the response from it", async () => {
    for (const headers of FOREIGN) {
      const answer = await ada.call("GET", "/api/auth/me", undefined, headers);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("requests from our own page and from programs are accepted", async () => {
    const own: Record<string, string>[] = [
      { origin: world.service.address, "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      {},
    ];
    for (const headers of own) {
      const answer = await ada.call("PATCH", "/api/auth/me", { theme: "dark" }, headers);
      expect(answer.status).toBe(200);
    }
  });
});

describe("a request for a user", () => {
  const isFor = ({ user }: Client) => ({ "snug-user": user.id });

  test("is refused with another one's session or token, and changes and tells nothing", async () => {
    const bob = await world.person("bob");
    const roomId = await world.room("shared", ada, [bob]);
    const { id } = await ada.say(roomId, "Ada's own");
    const calls: [string, string, unknown][] = [
      ["GET", "/api/auth/me", undefined],
      ["GET", "/api/drafts", undefined],
      ["PUT", "/api/drafts", { room_id: roomId, base_version: 0, content: "Ada's draft" }],
      ["POST", `/api/rooms/${roomId}/messages`, { content: "as Ada" }],
      ["POST", `/api/rooms/${roomId}/read`, {}],
      ["PUT", `/api/saved/${id}`, {}],
      ["PUT", "/api/auth/me/sections", { base_version: 0, sections: [] }],
      ["PATCH", "/api/auth/me", { theme: "light" }],
      ["POST", "/api/auth/logout", undefined],
    ];
    for (const [method, path, body] of calls)
      expectProblem(await bob.call(method, path, body, isFor(ada)), 403, "user_mismatch");
    const form = new FormData();
    form.append("file", new Blob(["a"]), "a.txt");
    const upload = await bob.call("POST", `/api/rooms/${roomId}/files`, form, isFor(ada));
    expectProblem(upload, 403, "user_mismatch");
    expect((await bob.get("/api/auth/me")).body.theme).toBe("dark");
    expect((await bob.get("/api/drafts")).body.items).toEqual([]);
    expect((await bob.get("/api/saved/ids")).body.ids).toEqual([]);
    const bot = await world.bot("helper", ["read:messages"]);
    expectProblem(await bot.call("GET", "/api/rooms", undefined, isFor(ada)), 403, "user_mismatch");
    const handshake = { ...isFor(ada), origin: world.service.address };
    expectProblem(await bob.call("GET", "/ws/chat", undefined, handshake), 403, "user_mismatch");
  });

  test("is accepted with their own, as one that names nobody is", async () => {
    for (const headers of [isFor(ada), { "snug-user": ada.user.id.toUpperCase() }, {}])
      expect((await ada.call("GET", "/api/auth/me", undefined, headers)).status).toBe(200);
    expectProblem(
      await ada.call("GET", "/api/auth/me", undefined, { "snug-user": "" }),
      403,
      "user_mismatch",
    );
  });

  test("learns who is signed in, and that nobody is", async () => {
    const carol = await world.person("carol");
    const session = await carol.call("GET", "/api/auth/session", undefined, isFor(ada));
    expect(session.body.user).toMatchObject({ username: "carol" });
    const nobody = await world.anonymous.call("GET", "/api/auth/me", undefined, isFor(ada));
    expectProblem(nobody, 401, "unauthenticated");
  });
});

describe("a bearer token", () => {
  test.each([
    ["unknown", `Bearer snug_${"a".repeat(43)}`],
    ["malformed", "Bearer snug"],
    ["empty", "Bearer"],
    ["of another scheme", "Basic YWRhOnBhc3N3b3Jk"],
  ])("that is %s is 401, even beside a good cookie", async (_, authorization) => {
    for (const client of [world.anonymous, ada]) {
      for (const method of ["GET", "PATCH"]) {
        const body = method === "GET" ? undefined : { theme: "light" };
        const answer = await client.call(method, "/api/auth/me", body, { authorization });
        expectProblem(answer, 401, "invalid_token");
        expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
      }
    }
    expect((await ada.get("/api/auth/me")).body.theme).toBe("dark");
  });

  test("in a query string is ignored", async () => {
    const answer = await world.anonymous.get(`/api/auth/me?access_token=snug_${"a".repeat(43)}`);
    expectProblem(answer, 401, "unauthenticated");
  });

  test("cannot be a session's token", async () => {
    const authorization = `Bearer ${ada.cookie?.split("=")[1]}`;
    const answer = await world.anonymous.call("GET", "/api/auth/me", undefined, { authorization });
    expectProblem(answer, 401, "invalid_token");
  });
});

test("a session that ended since the request began is refused as ended, not asked for a proof", async () => {
  const actor = { id: ada.user.id, sessionId: Bun.randomUUIDv7(), token: null } as Actor;
  const checked = checkReauthentication(world.database.db, actor);
  await expect(checked).rejects.toMatchObject({ code: "unauthenticated" });
});
