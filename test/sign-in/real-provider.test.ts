import { afterAll, beforeAll, expect, test } from "bun:test";
import { Visitor } from "../support/providers.ts";
import { RealIdp } from "../support/real-idp.ts";
import { World } from "../support/world.ts";

/** An independent implementation of the other side. */

let idp: RealIdp;
let signing: RealIdp;
let world: World;
beforeAll(async () => {
  idp = await RealIdp.start("http://localhost/api/auth/oidc/real/callback");
  signing = await RealIdp.start("http://localhost/api/auth/oidc/signing/callback", {
    userinfo_signed_response_alg: "RS256",
  });
  world = await World.start({ BASE_URL: "http://localhost", EGRESS_ALLOW: "localhost" });
});
afterAll(async () => {
  await world.stop();
  await idp.stop();
  await signing.stop();
});

test("a certified provider signs people in, and knows them again", async () => {
  const admin = await world.person("admin", { isSiteAdmin: true });
  const params = { slug: "real", ...idp.settings, allow_signup: true };
  const provider = (await admin.post("/api/admin/identity-providers", params)).body;
  const tested = await admin.post(`/api/admin/identity-providers/${provider.id}/test`);
  expect(tested.body).toMatchObject({ ok: true });
  for (let i = 0; i < 2; i++) {
    const visitor = new Visitor(world, "real");
    const back = new URL(await idp.signIn(await visitor.start("?return_to=/x"), "lovelace"));
    const answer = await visitor.get(back.pathname + back.search);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/x"]);
    const { body } = await visitor.client.get("/api/auth/me");
    expect(body).toMatchObject({
      username: "lovelace",
      display_name: "Real Person",
      email: "lovelace@example.org",
    });
    if (i > 0) continue;
    // Signing in there again is a proof.
    await world.database.sql`update sessions set proof_at = null where user_id = ${body.id}`;
    const proof = new URL(await idp.signIn(await visitor.start("?proof=1"), "lovelace"));
    expect((await visitor.get(proof.pathname + proof.search)).status).toBe(302);
    expect((await visitor.client.post("/api/auth/me/totp")).status).toBe(200);
  }
});

test("a certified provider that signs user info signs people in", async () => {
  const admin = await world.person("root", { isSiteAdmin: true });
  const params = { slug: "signing", ...signing.settings, allow_signup: true };
  expect((await admin.post("/api/admin/identity-providers", params)).status).toBe(201);
  const visitor = new Visitor(world, "signing");
  const back = new URL(await signing.signIn(await visitor.start(), "hopper"));
  expect((await visitor.get(back.pathname + back.search)).status).toBe(302);
  const { body } = await visitor.client.get("/api/auth/me");
  expect(body).toMatchObject({ display_name: "Real Person", email: "hopper@example.org" });
});
