import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../src/http/app.ts";
import type { Client } from "../support/client.ts";
import { expireReauthentication } from "../support/factors.ts";
import { PARTS, ROUTES } from "../support/routes.ts";
import { people, World } from "../support/world.ts";
import {
  CALLERS,
  type Caller,
  type Cast,
  expectedOf,
  type Place,
  type PlaceKind,
  NEED_REAUTHENTICATION,
  PUBLIC,
  ROOM_ROWS,
  SIGNED_IN,
  SITE_ADMIN,
} from "./table.ts";
import { addressOf, call, expectOutcome, placesOf } from "./places.ts";

let world: World;
let cast: Cast;
/** Whose sessions end with some calls. */
let stranger: Client;
let newPlace: (kind: PlaceKind) => Promise<Place>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
  stranger = await world.person("stranger");
  newPlace = await placesOf(world, cast);
});
afterAll(() => world.stop());

function clientOf(caller: Caller): Client {
  return caller === "anonymous" ? world.anonymous : cast[caller];
}

const KINDS: PlaceKind[] = ["open", "secret", "former conversation"];

describe.each(KINDS)("in a room: %s", (kind) => {
  test.each(ROOM_ROWS.map((row) => [row.route, row] as const))("%s", async (route, row) => {
    // Calls that only read share one place.
    const shared = route.startsWith("GET ") ? await newPlace(kind) : null;
    const asking = CALLERS.map(async (caller) => {
      const place = shared ?? (await newPlace(kind));
      const path = row.path(place);
      const answer = await call(clientOf(caller), route, path, row.body(place));
      const outcome = expectedOf(row, caller, kind);
      const got = typeof outcome === "number" ? answer.status : answer.body.code;
      expect({ caller, outcome: got }).toEqual({ caller, outcome });
      expectOutcome(answer, outcome);
    });
    await Promise.all(asking);
  });
});

describe("a hidden room", () => {
  test.each(ROOM_ROWS.map((row) => [row.route, row] as const))(
    "looks like an unknown one: %s",
    async (route, row) => {
      const place = await newPlace("secret");
      const never = { ...place, room: Bun.randomUUIDv7(), message: Bun.randomUUIDv7() };
      for (const caller of ["outsider", "removed", "admin"] as const) {
        const [hidden, absent] = [place, never].map((item) =>
          call(cast[caller], route, row.path(item), row.body(place)),
        );
        const [a, b] = [await hidden, await absent];
        expect(a?.status).toBe(404);
        expect([a?.status, a?.body]).toEqual([b?.status, b?.body]);
      }
    },
  );

  test("is in no list of a stranger", async () => {
    const { outsider, removed, admin, rooms } = cast;
    for (const client of [outsider, removed, admin]) {
      for (const path of ["/api/rooms?limit=200", "/api/rooms/browse?limit=200"]) {
        const { status, body } = await client.get(path);
        expect(status).toBe(200);
        expect(body.items.map((room: { id: string }) => room.id)).not.toContain(rooms.secret);
      }
    }
  });
});

describe("elsewhere", () => {
  test.each(SIGNED_IN)("%s is for people who are signed in", async (route, body, outcome) => {
    const address = addressOf(route);
    expectOutcome(await call(world.anonymous, route, address, body), "unauthenticated");
    expectOutcome(await call(cast.deactivated, route, address, body), "unauthenticated");
    const someone = await world.signIn(stranger.user);
    expectOutcome(await call(someone, route, address, body), outcome);
  });

  test.each(SITE_ADMIN)("%s is for site administrators", async (route, body, outcome) => {
    const address = addressOf(route);
    expectOutcome(await call(world.anonymous, route, address, body), "unauthenticated");
    expectOutcome(await call(cast.deactivated, route, address, body), "unauthenticated");
    for (const caller of ["outsider", "member", "roomAdmin", "owner"] as const) {
      expectOutcome(await call(cast[caller], route, address, body), "not_site_admin");
      expectOutcome(await call(cast[caller], route, address, body && {}), "not_site_admin");
    }
    expectOutcome(await call(cast.admin, route, address, body), outcome);
  });

  test.each(PUBLIC)("%s is for everyone", async (route, body, outcome) => {
    const address = route.split(" ")[1] ?? "";
    for (const caller of ["anonymous", "deactivated", "member"] as const) {
      expectOutcome(await call(clientOf(caller), route, address, body), outcome);
    }
  });
});

describe("a caller who has not reauthenticated", () => {
  const PASSWORD_CHANGE = { new_password: "a quite new one" };

  test.each(NEED_REAUTHENTICATION)("is refused: %s", async (route, body) => {
    const sent = route === "PUT /api/auth/me/password" ? PASSWORD_CHANGE : body;
    const address = addressOf(route);
    const admin = await world.signIn(cast.admin.user);
    await expireReauthentication(world, admin);
    expectOutcome(await call(admin, route, address, sent), "proof_needed");
    const someone = await world.signIn(stranger.user);
    await expireReauthentication(world, someone);
    const isAdmin = ADMIN_PATH.test(address);
    const refusal = isAdmin ? "not_site_admin" : "proof_needed";
    expectOutcome(await call(someone, route, address, sent), refusal);
    expectOutcome(await call(world.anonymous, route, address, sent), "unauthenticated");
  });

  test("is refused what gives or takes access, and nothing else", () => {
    const needed = NEED_REAUTHENTICATION.map(([route]) => route).toSorted();
    expect(needed).toEqual([
      "DELETE /api/admin/bots/:id/tokens/:token_id",
      "DELETE /api/admin/identity-providers/:id",
      "DELETE /api/admin/invite-links/:id",
      "DELETE /api/admin/invites/:id",
      "DELETE /api/auth/me/identities/:id",
      "DELETE /api/auth/me/passkeys/:id",
      "DELETE /api/auth/me/totp",
      "PATCH /api/admin/bots/:id",
      "PATCH /api/admin/identity-providers/:id",
      "PATCH /api/admin/users/:id",
      "POST /api/admin/bots",
      "POST /api/admin/bots/:id/tokens",
      "POST /api/admin/identity-providers",
      "POST /api/admin/identity-providers/:id/test",
      "POST /api/admin/invite-links",
      "POST /api/admin/invites",
      "POST /api/admin/invites/:id/resend",
      "POST /api/admin/rooms/:id/transfer",
      "POST /api/admin/users/:id/deactivate",
      "POST /api/admin/users/:id/demote",
      "POST /api/admin/users/:id/promote",
      "POST /api/admin/users/:id/reactivate",
      "POST /api/admin/users/:id/reset-password",
      "POST /api/admin/users/:id/reset-second-factor",
      "POST /api/auth/me/passkeys",
      "POST /api/auth/me/passkeys/options",
      "POST /api/auth/me/recovery-codes",
      "POST /api/auth/me/totp",
      "PUT /api/admin/settings/sign-in",
      "PUT /api/admin/settings/smtp",
      "PUT /api/auth/me/password",
    ]);
  });

  test("is decided for each change of administrators", () => {
    const changes = ROUTES.filter(({ path, method }) => ADMIN_PATH.test(path) && method !== "GET");
    const undecided = changes
      .filter(({ reauthentication }) => reauthentication === undefined)
      .map(({ name }) => name);
    expect(undecided).toEqual([]);
  });
});

const ADMIN_PATH = /^\/api\/admin\//;

describe("declared routes", () => {
  test("are what the app serves", () => {
    const served = createApp(PARTS).routes.map(({ method, path }) => `${method} ${path}`);
    const declared = ROUTES.map(({ name }) => name);
    expect(served.toSorted()).toEqual([...declared, "GET /.well-known/change-password"].toSorted());
  });

  test("follow the rules of the API", () => {
    const ofPublic = ROUTES.filter(({ access }) => access === "public").map(({ name }) => name);
    expect(ofPublic.toSorted()).toEqual([
      "GET /api/auth/login/second",
      "GET /api/auth/methods",
      "GET /api/auth/oidc/:slug/callback",
      "GET /api/auth/oidc/:slug/start",
      "GET /api/auth/session",
      "GET /api/openapi.json",
      "GET /api/team",
      "GET /api/team/logo",
      "GET /healthz",
      "GET /metrics",
      "GET /readyz",
      "POST /api/auth/forgot-password",
      "POST /api/auth/login",
      "POST /api/auth/login/second",
      "POST /api/auth/oidc/:slug/backchannel-logout",
      "POST /api/auth/oidc/:slug/start",
      "POST /api/auth/passkey",
      "POST /api/auth/passkey/options",
      "POST /api/auth/reset-password",
      "POST /api/auth/reset-password/check",
      "POST /api/signup",
      "POST /api/signup/check",
      "POST /hooks/:token",
    ]);
    for (const { name, path, access, method } of ROUTES) {
      if (access === "public" || name === "GET /api/auth/me") continue;
      const isAdmin = path.startsWith("/api/admin/");
      expect([name, access === "administrator"]).toEqual([name, isAdmin]);
      const isClosed = /^\/api\/(?:auth|push|custom-themes|activity|saved|drafts)\//.test(
        `${path}/`,
      );
      expect([name, access === "person"]).toEqual([name, isClosed]);
      const isOfMessages =
        /^\/api\/(?:messages\/|rooms\/:id\/(?:messages|changes|pins|images|files))/;
      if (!isOfMessages.test(path)) continue;
      // What someone follows and has read changes nothing for others.
      const reads = method === "GET" || /\/thread\/(?:follow|read|unread)$/.test(path);
      expect([name, access]).toEqual([name, reads ? "read:messages" : "write:messages"]);
    }
  });
});
