import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Scope } from "../../src/wire/scopes.ts";
import {
  type Cast,
  type Outcome,
  ACCESS,
  ROOM_ROWS,
  type Row,
  SIGNED_IN,
  SITE_ADMIN,
} from "./table.ts";
import { addressOf, call, expectOutcome, placesOf } from "./places.ts";
import type { Client } from "../support/client.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Cast;
let newPlace: Awaited<ReturnType<typeof placesOf>>;
const bots: { client: Client; scopes: Scope[] }[] = [];
let stranger: Client;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
  newPlace = await placesOf(world, cast);
  const kinds: [string, Scope[]][] = [
    ["bare", ["manage:rooms"]],
    ["reader", ["read:messages"]],
    ["writer", ["write:messages"]],
  ];
  for (const [name, scopes] of kinds) bots.push({ client: await world.bot(name, scopes), scopes });
  stranger = await world.bot("stranger", ["read:messages", "write:messages", "manage:rooms"]);
});
afterAll(() => world.stop());

function expectedOf(row: Row, scopes: Scope[]): Outcome {
  if (row.access === "signed-in" || scopes.some((scope) => scope === row.access)) {
    return row.bot ?? row.open[1];
  }
  return "insufficient_scope";
}

describe("in a room", () => {
  test.each(ROOM_ROWS.map((row) => [row.route, row] as const))(
    "a bot that is a member can do what its role and token allow: %s",
    async (route, row) => {
      for (const { client, scopes } of bots) {
        const place = await newPlace("secret", [client]);
        const answer = await call(client, route, row.path(place), row.body(place));
        expectOutcome(answer, expectedOf(row, scopes));
        const isLacking = expectedOf(row, scopes) === "insufficient_scope";
        expect(answer.headers.get("www-authenticate")).toBe(
          isLacking ? `Bearer error="insufficient_scope", scope="${row.access}"` : null,
        );
      }
    },
  );

  test.each(ROOM_ROWS.map((row) => [row.route, row] as const))(
    "a bot that is not a member can do what a stranger can: %s",
    async (route, row) => {
      for (const privacy of ["open", "secret"] as const) {
        const place = await newPlace(privacy);
        const answer = await call(stranger, route, row.path(place), row.body(place));
        expectOutcome(answer, privacy === "open" ? row.open[0] : row.hidden);
      }
    },
  );
});

describe("elsewhere", () => {
  test.each(SIGNED_IN)("a bot at %s", async (route, body, outcome) => {
    const access = ACCESS.get(route) ?? "person";
    for (const { client, scopes } of bots) {
      const answer = await call(client, route, addressOf(route), body);
      const isAllowed = access === "signed-in" || scopes.some((scope) => scope === access);
      const refusal = access === "person" ? "not_for_bots" : "insufficient_scope";
      expectOutcome(answer, isAllowed ? outcome : refusal);
    }
  });

  test.each(SITE_ADMIN)("bots cannot call %s", async (route, body) => {
    expectOutcome(await call(stranger, route, addressOf(route), body), "not_for_bots");
  });
});
