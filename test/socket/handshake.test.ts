import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let member: Client;
beforeAll(async () => {
  world = await World.start();
  member = await world.person("member");
});
afterAll(() => world.stop());

/** What a handshake is answered with, seen as plain HTTP. */
async function handshake(headers: Record<string, string>) {
  const response = await fetch(`${world.service.address}/ws/chat`, {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  const code = response.headers.get("content-type")?.includes("json")
    ? ((await response.json()) as { code: string }).code
    : null;
  return { status: response.status, code };
}

describe("the handshake", () => {
  test("without credentials is 401 and never upgraded", async () => {
    expect(await handshake({})).toEqual({ status: 401, code: "unauthenticated" });
  });

  test("with a cookie that is unknown is 401", async () => {
    const origin = world.service.address;
    const answer = await handshake({ cookie: `snug_session=${"x".repeat(43)}`, origin });
    expect(answer).toEqual({ status: 401, code: "unauthenticated" });
  });

  test("with an unknown bearer token is 401, even beside a good cookie", async () => {
    const cookie = member.cookie as string;
    const answer = await handshake({ cookie, authorization: `Bearer snug_${"a".repeat(43)}` });
    expect(answer).toEqual({ status: 401, code: "invalid_token" });
  });

  const foreign: [string, Record<string, string>][] = [
    ["no Origin", {}],
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["the null Origin", { origin: "null" }],
    ["the mark of another site's page", { "sec-fetch-site": "cross-site" }],
  ];
  test.each(foreign)("with a good cookie and %s is 403", async (_, headers) => {
    const cookie = member.cookie as string;
    const origin: Record<string, string> = headers["sec-fetch-site"]
      ? { origin: world.service.address }
      : {};
    const answer = await handshake({ cookie, ...origin, ...headers });
    expect(answer).toEqual({ status: 403, code: "cross_origin" });
  });

  test("without an upgrade, a plain GET, is 400", async () => {
    const answer = await member.call("GET", "/ws/chat", undefined, {
      origin: world.service.address,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
  });
});
