import { afterAll, beforeAll, expect, test } from "bun:test";
import { Authenticator } from "../support/authenticator.ts";
import type { Client } from "../support/client.ts";
import { beginLogin, codeOf, finishLogin, turnOnTotp } from "../support/factors.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { linkOf, MailServer } from "../support/smtp.ts";
import { PASSWORD, World } from "../support/world.ts";

/** What each change of a sign-in mails, and which sessions end with it. */

let idp: Idp;
let world: World;
let mails: MailServer;
let admin: Client;
let provider: string;
beforeAll(async () => {
  [idp, mails] = await Promise.all([Idp.start(), MailServer.open("plain")]);
  world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
  const params = { slug: "example", ...idp.settings, link_by_email: true };
  provider = (await admin.post("/api/admin/identity-providers", params)).body.id;
});
afterAll(async () => {
  await world.stop();
  await mails.close();
  await idp.stop();
});

/** A person of a case, and what was prepared. Each step that mails is waited for. */
class Case {
  secret = "";
  codes: string[] = [];
  passkeyId = "";
  device = new Authenticator(world.service.address);
  constructor(
    readonly name: string,
    readonly me: Client,
  ) {}

  async withTotp() {
    Object.assign(this, await turnOnTotp(this.me));
    await mails.next();
  }

  async withPasskey() {
    await this.addPasskey();
    await mails.next();
  }

  async addPasskey() {
    const { body } = await this.me.post("/api/auth/me/passkeys/options");
    const sent = { name: "Key <1>", passkey: this.device.create(body) };
    const response = await this.me.post("/api/auth/me/passkeys", sent);
    this.passkeyId = response.body.id;
    const code = response.body.recovery_codes?.[0];
    if (code) await this.me.post("/api/auth/me/recovery-codes/saved", { recovery_code: code });
    return response;
  }

  visitor = () => new Visitor(world, "example", this.me.cookie);
  claims = () => ({ sub: this.name, email: `${this.name}@example.org`, email_verified: true });
  connect = () => this.visitor().signIn(idp, this.claims(), "?connect=1");
  passkeySignIn = async (signCount: number) => {
    const { body } = await world.anonymous.post("/api/auth/passkey/options");
    const passkey = this.device.get(body, { signCount });
    return world.anonymous.post("/api/auth/passkey", { passkey });
  };
  second = async (factor: object) =>
    finishLogin(world, (await beginLogin(world, this.name)).cookie, factor);
}

type Ends = "others" | "all" | "none";
type Work = (one: Case) => Promise<unknown>;
const CASES: [subject: string, how: string, ends: Ends, prepare: Work, change: Work][] = [
  [
    "Your password was changed",
    "in the profile",
    "others",
    async () => {},
    ({ me }) =>
      me.put("/api/auth/me/password", {
        current_password: PASSWORD,
        new_password: "quite a new 1",
      }),
  ],
  [
    "Your password was changed",
    "by a link",
    "all",
    async () => {},
    async ({ name }) => {
      await world.anonymous.post("/api/auth/forgot-password", { email: `${name}@example.org` });
      const { token } = linkOf(await mails.next(), "/reset-password");
      return world.anonymous.post("/api/auth/reset-password", { token, password: "quite a new 1" });
    },
  ],
  ["Your second factor is on", "by an app", "others", async () => {}, ({ me }) => turnOnTotp(me)],
  ["Your second factor is on", "by a passkey", "others", async () => {}, (one) => one.addPasskey()],
  [
    "Your second factor is off",
    "with its last factor",
    "others",
    (one) => one.withTotp(),
    ({ me }) => me.delete("/api/auth/me/totp"),
  ],
  [
    "Your second factor was reset",
    "by an administrator",
    "all",
    (one) => one.withTotp(),
    ({ me }) => admin.post(`/api/admin/users/${me.user.id}/reset-second-factor`),
  ],
  [
    "An authenticator app was added",
    "beside a passkey",
    "none",
    (one) => one.withPasskey(),
    async ({ me }) => {
      const { secret } = (await me.post("/api/auth/me/totp")).body;
      return me.post("/api/auth/me/totp/confirm", { code: codeOf(secret) });
    },
  ],
  [
    "An authenticator app was added",
    "in the place of another",
    "others",
    (one) => one.withTotp(),
    async ({ me }) => {
      const { secret } = (await me.post("/api/auth/me/totp")).body;
      return me.post("/api/auth/me/totp/confirm", { code: codeOf(secret) });
    },
  ],
  [
    "Your authenticator app was removed",
    "beside a passkey",
    "others",
    async (one) => {
      await one.withTotp();
      await one.withPasskey();
    },
    ({ me }) => me.delete("/api/auth/me/totp"),
  ],
  [
    "A passkey was added",
    "beside an app",
    "none",
    (one) => one.withTotp(),
    (one) => one.addPasskey(),
  ],
  [
    "A passkey was removed",
    "beside an app",
    "others",
    async (one) => {
      await one.withTotp();
      await one.withPasskey();
    },
    ({ me, passkeyId }) => me.delete(`/api/auth/me/passkeys/${passkeyId}`),
  ],
  [
    "A passkey may have been copied",
    "when it counts backwards",
    "none",
    async (one) => {
      await one.withPasskey();
      await one.passkeySignIn(9);
    },
    (one) => one.passkeySignIn(3),
  ],
  [
    "You have new recovery codes",
    "in the profile",
    "others",
    (one) => one.withTotp(),
    ({ me }) => me.post("/api/auth/me/recovery-codes"),
  ],
  [
    "A recovery code was used",
    "to sign in",
    "none",
    (one) => one.withTotp(),
    (one) => one.second({ recovery_code: one.codes[4] }),
  ],
  [
    "A recovery code was used",
    "as a proof",
    "none",
    (one) => one.withTotp(),
    ({ me, codes }) => me.post("/api/auth/proof", { recovery_code: codes[4] }),
  ],
  [
    "Your account is connected with Example",
    "in the profile",
    "none",
    async () => {},
    (one) => one.connect(),
  ],
  [
    "Your account is connected with Example",
    "by its address",
    "none",
    async () => {},
    (one) => new Visitor(world, "example").signIn(idp, one.claims()),
  ],
  [
    "Your account is no longer connected with Example",
    "in the profile",
    "none",
    async (one) => {
      await one.connect();
      await mails.next();
    },
    async ({ me }) => {
      const { items } = (await me.get("/api/auth/me/identities")).body;
      return me.delete(`/api/auth/me/identities/${items[0].id}`);
    },
  ],
];

let count = 0;
test.each(CASES)("“%s”, %s: ends %s", async (subject, _, ends, prepare, change) => {
  const name = `person-${++count}`;
  const one = new Case(name, await world.person(name));
  await prepare(one);
  const other = await world.signIn(one.me.user);
  const done = (await change(one)) as { status?: number; body?: unknown };
  if (done.status !== undefined) expect([done.body, done.status < 400]).toEqual([done.body, true]);
  const { to, mail } = await mails.next();
  expect(to).toEqual([`${name}@example.org`]);
  expect(mail.subject).toStartWith(`${subject} at `);
  expect(mail.text).toContain(`account ${name} at `);
  expect(mail.text).toContain("/profile/security");
  expect(mails.waiting).toBe(0);
  const alive = await Promise.all(
    [one.me, other].map(async (client) => (await client.get("/api/auth/me")).status === 200),
  );
  expect(alive).toEqual([ends !== "all", ends === "none"]);
});

test("a forgotten password does not switch a second factor off", async () => {
  const one = new Case("person-forgot", await world.person("person-forgot"));
  await one.withTotp();
  const email = "person-forgot@example.org";
  await world.anonymous.post("/api/auth/forgot-password", { email });
  const { token } = linkOf(await mails.next(), "/reset-password");
  const reset = { token, password: PASSWORD };
  expect((await world.anonymous.post("/api/auth/reset-password", reset)).status).toBe(204);
  await mails.next();
  const { answer, cookie } = await beginLogin(world, one.name);
  expect(answer.status).toBe(202);
  expect((await finishLogin(world, cookie, { totp: codeOf(one.secret) })).status).toBe(200);
});

test("disconnecting ends the sessions that began with that provider alone", async () => {
  const one = new Case("person-last", await world.person("person-last"));
  await one.connect();
  const [there, elsewhere] = [new Visitor(world, "example"), await world.signIn(one.me.user)];
  await there.signIn(idp, one.claims());
  const { items } = (await one.me.get("/api/auth/me/identities")).body;
  expect((await one.me.delete(`/api/auth/me/identities/${items[0].id}`)).status).toBe(204);
  expect(await there.whoAmI()).toBeNull();
  expect((await elsewhere.get("/api/auth/me")).status).toBe(200);
});

test("what a provider does to accounts is in the audit log", async () => {
  const groups = { groups_claim: "groups", admin_group: "admins", allow_signup: true };
  await admin.patch(`/api/admin/identity-providers/${provider}`, groups);
  const name = "person-audited";
  const person = { sub: name, email: `${name}@example.org`, email_verified: true };
  for (const roles of [["admins"], []]) {
    await new Visitor(world, "example").signIn(idp, { ...person, groups: roles });
  }
  const rows = await world.database.sql`select action, target_name, details, ip
    from admin_audit_log where target_name in (${name}, 'person-17') order by id`;
  const expected = [
    ["user.connect", "person-17", { provider: "example", by: "email" }],
    ["user.create", name, { provider: "example", is_site_admin: false }],
    ["user.promote", name, { by: "claim" }],
    ["user.demote", name, { by: "claim" }],
  ];
  expect(rows.map(({ action, target_name, details }) => [action, target_name, details])).toEqual(
    expected,
  );
  expect(new Set(rows.map(({ ip }) => ip))).toEqual(new Set(["127.0.0.1"]));
});
