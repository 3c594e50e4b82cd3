import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sessionCookie } from "../../src/accounts/cookie.ts";
import type { Mailer } from "../../src/email/mailer.ts";
import { createApp } from "../../src/http/app.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { openStore } from "../../src/platform/storage/open.ts";
import type { Client } from "../support/client.ts";
import { people, World } from "../support/world.ts";
import {
  CALLERS,
  type Caller,
  type Cast,
  expectedOf,
  type Place,
  PUBLIC,
  ROOM_ROWS,
  SIGNED_IN,
  SITE_ADMIN,
} from "./access-table.ts";
import { addressOf, call, expectOutcome, placesOf } from "./places.ts";

let world: World;
let cast: Cast;
let newPlace: (privacy: "open" | "secret") => Promise<Place>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
  newPlace = await placesOf(world, cast);
});
afterAll(() => world.stop());

function clientOf(caller: Caller): Client {
  return caller === "anonymous" ? world.anonymous : cast[caller];
}

describe.each(["open", "secret"] as const)("in a room that is %s", (privacy) => {
  test.each(ROOM_ROWS.map((row) => [row.route, row] as const))("%s", async (route, row) => {
    // What is only read is the same for all.
    const shared = route.startsWith("GET ") ? await newPlace(privacy) : null;
    const asking = CALLERS.map(async (caller) => {
      const place = shared ?? (await newPlace(privacy));
      const path = row.path?.(place) ?? "";
      const answer = await call(clientOf(caller), route, path, row.body?.(place));
      const outcome = expectedOf(row, caller, privacy);
      const got = typeof outcome === "number" ? answer.status : answer.body.code;
      expect({ caller, outcome: got }).toEqual({ caller, outcome });
      expectOutcome(answer, outcome);
    });
    await Promise.all(asking);
  });
});

describe("what is hidden", () => {
  test.each(ROOM_ROWS.map((row) => [row.route, row] as const))(
    "looks as what never was: %s",
    async (route, row) => {
      const place = await newPlace("secret");
      const never = { ...place, room: Bun.randomUUIDv7(), message: Bun.randomUUIDv7() };
      for (const caller of ["outsider", "removed", "admin"] as const) {
        const [hidden, absent] = [place, never].map((one) =>
          call(cast[caller], route, row.path?.(one) ?? "", row.body?.(place)),
        );
        const [a, b] = [await hidden, await absent];
        expect(a?.status).toBe(404);
        expect([a?.status, a?.body]).toEqual([b?.status, b?.body]);
      }
    },
  );

  test("is in no list of someone outside", async () => {
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
    const someone = await world.signIn(cast.outsider.user);
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

test("every route of the app has a row here", () => {
  const baseUrl = "http://localhost";
  const identifier = { sql: world.database.sql, cookie: sessionCookie(baseUrl), baseUrl };
  const poster = null as unknown as Parameters<typeof createApp>[0]["poster"];
  const { database } = world;
  const metrics = createMetrics();
  const app = createApp({
    database,
    identifier,
    store: openStore({ dataDir: world.settings.DATA_DIR, s3: null }),
    poster,
    egress: createEgress({ allow: [] }),
    readKey: async () => [Buffer.alloc(32)] as const,
    pushing: {} as unknown as Parameters<typeof createApp>[0]["pushing"],
    baseUrl: identifier.baseUrl,
    mailer: null as unknown as Mailer,
    metrics,
    metricsToken: null,
    isDraining: () => false,
  });
  metrics.stop();
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
  const rows = [
    ...ROOM_ROWS.map((row) => row.route),
    ...[...SIGNED_IN, ...SITE_ADMIN, ...PUBLIC].map(([r]) => r),
  ];
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((route) => !rows.includes(route))).toEqual([]);
  expect(rows.filter((route) => !routes.includes(route))).toEqual([]);
});
