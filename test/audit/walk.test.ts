import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SITE_ADMIN } from "../access/table.ts";
import { type Client, formOf } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { commitDuring } from "../support/blocked.ts";
import { admin as adminTexts } from "../../public/app/words/en/admin.ts";
import { World } from "../support/world.ts";

/**
 * Every route with which an administrator changes something: one call that succeeds and leaves one
 * row of the audit log, and one that fails and leaves none. A new route that has no line here fails.
 */

const SECRET = "a secret that no log holds";
/** Changes nothing in the database. */
const WITHOUT_ROW = [
  "POST /api/admin/settings/smtp/test",
  "POST /api/admin/identity-providers/:id/test",
];

type Things = {
  person: string;
  bot: string;
  token: string;
  scheduled: string;
  room: string;
  invite: string;
  provider: string;
  inviteLink: string;
  job: string;
};
type Line = {
  action: string;
  path: (things: Things) => string;
  good: (things: Things) => unknown;
  /** If absent: the same call for an unknown id. */
  bad?: unknown;
};

/** What ends an administrator's right while a request of theirs goes on. */
const ENDS: [what: string, code: string, end: (userId: string) => SQL][] = [
  [
    "who is demoted",
    "not_site_admin",
    (id) => sql`update users set is_site_admin = false where id = ${id}`,
  ],
  ["who is signed out", "unauthenticated", (id) => sql`delete from sessions where user_id = ${id}`],
  [
    "who is deactivated",
    "unauthenticated",
    (id) => sql`update users set is_active = false where id = ${id}`,
  ],
];

const nothing = () => undefined;
const SMTP = {
  host: "localhost",
  port: 2525,
  security: "none",
  username: "snug",
  password: SECRET,
  from: "snug@example.org",
};
const user =
  (verb: string) =>
  ({ person }: Things) =>
    `/api/admin/users/${person}/${verb}`;
const room =
  (verb: string) =>
  ({ room }: Things) =>
    `/api/admin/rooms/${room}${verb}`;

/** In the order in which they are called. */
const LINES: Record<string, Line> = {
  "POST /api/admin/users/:id/deactivate": {
    action: "user.deactivate",
    path: user("deactivate"),
    good: nothing,
  },
  "POST /api/admin/users/:id/reactivate": {
    action: "user.reactivate",
    path: user("reactivate"),
    good: nothing,
  },
  "POST /api/admin/users/:id/promote": {
    action: "user.promote",
    path: user("promote"),
    good: nothing,
  },
  "POST /api/admin/users/:id/demote": {
    action: "user.demote",
    path: user("demote"),
    good: nothing,
  },
  "POST /api/admin/users/:id/reset-password": {
    action: "user.reset_password",
    path: user("reset-password"),
    good: () => ({ password: SECRET }),
  },
  "PATCH /api/admin/users/:id": {
    action: "user.update",
    path: ({ person }) => `/api/admin/users/${person}`,
    good: () => ({ keeps_password: true }),
  },
  "POST /api/admin/users/:id/reset-second-factor": {
    action: "user.reset_second_factor",
    path: user("reset-second-factor"),
    good: nothing,
  },
  "POST /api/admin/identity-providers": {
    action: "provider.create",
    path: () => "/api/admin/identity-providers",
    good: () => ({
      slug: "another",
      name: "Another",
      issuer: "https://idp.example.org",
      client_id: "snug",
      client_secret: SECRET,
    }),
    bad: { slug: "x", name: "X", issuer: "http://idp.example.org", client_id: "snug" },
  },
  "PATCH /api/admin/identity-providers/:id": {
    action: "provider.update",
    path: ({ provider }) => `/api/admin/identity-providers/${provider}`,
    good: () => ({ client_secret: SECRET, allow_signup: true }),
  },
  "DELETE /api/admin/identity-providers/:id": {
    action: "provider.delete",
    path: ({ provider }) => `/api/admin/identity-providers/${provider}`,
    good: nothing,
  },
  "PUT /api/admin/settings/sign-in": {
    action: "settings.sign_in",
    path: () => "/api/admin/settings/sign-in",
    good: () => ({ second_factor: "administrators" }),
    bad: { second_factor: "some" },
  },
  "POST /api/admin/rooms/:id/archive": {
    action: "room.archive",
    path: room("/archive"),
    good: nothing,
  },
  "POST /api/admin/rooms/:id/unarchive": {
    action: "room.unarchive",
    path: room("/unarchive"),
    good: nothing,
  },
  "PATCH /api/admin/rooms/:id": {
    action: "room.update",
    path: room(""),
    good: () => ({ is_default: true }),
  },
  "POST /api/admin/rooms/:id/transfer": {
    action: "room.transfer",
    path: room("/transfer"),
    good: ({ person }) => ({ user_id: person }),
    bad: { user_id: Bun.randomUUIDv7() },
  },
  "POST /api/admin/invites": {
    action: "invite.create",
    path: () => "/api/admin/invites",
    good: () => ({ email: "new@example.org" }),
    bad: { email: "admin@example.org" },
  },
  "POST /api/admin/invites/:id/resend": {
    action: "invite.resend",
    path: ({ invite }) => `/api/admin/invites/${invite}/resend`,
    good: nothing,
  },
  "DELETE /api/admin/invites/:id": {
    action: "invite.revoke",
    path: ({ invite }) => `/api/admin/invites/${invite}`,
    good: nothing,
  },
  "POST /api/admin/invite-links": {
    action: "invite_link.create",
    path: () => "/api/admin/invite-links",
    good: () => ({ days: 1, max_uses: 2 }),
    bad: { days: 0 },
  },
  "DELETE /api/admin/invite-links/:id": {
    action: "invite_link.revoke",
    path: ({ inviteLink }) => `/api/admin/invite-links/${inviteLink}`,
    good: nothing,
  },
  "PUT /api/admin/settings/team": {
    action: "settings.team",
    path: () => "/api/admin/settings/team",
    good: () => ({ name: "Acme" }),
    bad: { name: " " },
  },
  "PUT /api/admin/settings/team/logo": {
    action: "settings.team",
    path: () => "/api/admin/settings/team/logo",
    good: () => formOf(PNG, "logo.png"),
    bad: formOf(new Uint8Array([1, 2]), "logo.png"),
  },
  "DELETE /api/admin/settings/team/logo": {
    action: "settings.team",
    path: () => "/api/admin/settings/team/logo",
    good: nothing,
  },
  "POST /api/admin/bots": {
    action: "bot.create",
    path: () => "/api/admin/bots",
    good: () => ({ username: "another-bot" }),
    bad: { username: "admin" },
  },
  "PATCH /api/admin/bots/:id": {
    action: "bot.update",
    path: ({ bot }) => `/api/admin/bots/${bot}`,
    good: () => ({ display_name: "Robot" }),
  },
  "POST /api/admin/bots/:id/tokens": {
    action: "token.create",
    path: ({ bot }) => `/api/admin/bots/${bot}/tokens`,
    good: () => ({ name: "one", scopes: ["read:messages"] }),
  },
  "DELETE /api/admin/bots/:id/scheduled/:scheduled_id": {
    action: "scheduled.delete",
    path: ({ bot, scheduled }) => `/api/admin/bots/${bot}/scheduled/${scheduled}`,
    good: nothing,
  },
  "DELETE /api/admin/bots/:id/tokens/:token_id": {
    action: "token.revoke",
    path: ({ bot, token }) => `/api/admin/bots/${bot}/tokens/${token}`,
    good: nothing,
  },
  "PUT /api/admin/settings/smtp": {
    action: "settings.smtp",
    path: () => "/api/admin/settings/smtp",
    good: () => SMTP,
    bad: { ...SMTP, from: "nobody" },
  },
  "PUT /api/admin/settings/uploads": {
    action: "settings.uploads",
    path: () => "/api/admin/settings/uploads",
    good: () => ({ max_bytes: 2048 }),
    bad: { max_bytes: 1 },
  },
  "PUT /api/admin/settings/sections": {
    action: "settings.sections",
    path: () => "/api/admin/settings/sections",
    good: () => ({ base_version: 0, sections: [] }),
    bad: { base_version: 1, sections: [] },
  },
  "POST /api/admin/jobs/:id/retry": {
    action: "job.retry",
    path: ({ job }) => `/api/admin/jobs/${job}/retry`,
    good: nothing,
  },
  "DELETE /api/admin/settings/smtp": {
    action: "settings.smtp",
    path: () => "/api/admin/settings/smtp",
    good: nothing,
  },
};

let world: World;
let admin: Client;
let things: Things;
/** What was answered once and must be in no row. */
const secrets = [SECRET];
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("admin", { isSiteAdmin: true });
  const person = (await world.person("person")).user.id;
  await world.database.sql`insert into totp (user_id, secret) values (${person}, 'sealed')`;
  const bot = (await admin.post("/api/admin/bots", { username: "machine" })).body.id;
  const response = await admin.post(`/api/admin/bots/${bot}/tokens`, { name: "first", scopes: [] });
  const invite = (await admin.post("/api/admin/invites", { email: "first@example.org" })).body;
  secrets.push(response.body.token, invite.link.split("#token=")[1]);
  const job = Bun.randomUUIDv7();
  await world.database.sql`insert into jobs (id, kind, payload, max_attempts, failed_at, last_error)
    values (${job}, 'sweep', '{}', 1, clock_timestamp(), 'It failed.')`;
  const place = await world.room("somewhere", admin);
  const scheduled = Bun.randomUUIDv7();
  await world.database.sql`
    insert into scheduled_messages (id, user_id, room_id, content, send_at, zone)
    values (${scheduled}, ${bot}, ${place}, 'x', now() + interval '1 day', 'UTC')`;
  const link = (await admin.post("/api/admin/invite-links")).body;
  secrets.push(link.link.split("#token=")[1]);
  const inviteLink = link.id;
  const idp = {
    slug: "first",
    name: "First",
    issuer: "https://idp.example.org",
    client_id: "snug",
  };
  const provider = (await admin.post("/api/admin/identity-providers", idp)).body.id;
  things = {
    person,
    bot,
    token: response.body.id,
    scheduled,
    room: place,
    invite: invite.id,
    inviteLink,
    provider,
    job,
  };
});
afterAll(() => world.stop());

const rows = () => world.database.sql`select * from admin_audit_log order by id`;
const nowhere = (path: string) =>
  path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "00000000-0000-7000-8000-000000000000");

describe("the audit log", () => {
  test("is written by every route that changes something", () => {
    const changing = SITE_ADMIN.map(([route]) => route).filter((route) => !route.startsWith("GET"));
    expect(changing.length).toBeGreaterThan(10);
    expect(changing.filter((route) => !LINES[route] && !WITHOUT_ROW.includes(route))).toEqual([]);
  });

  test("has a sentence for each of them", () => {
    const keys = Object.values(LINES).map(({ action }) => `audited.${action}`);
    expect(keys.filter((key) => !Object.hasOwn(adminTexts, key))).toEqual([]);
  });

  test.each(Object.entries(LINES))("%s writes a row, and none if it fails", async (route, line) => {
    const method = route.split(" ")[0] ?? "";
    const path = line.path(things);
    const before = await rows();
    const body = line.bad ?? line.good(things);
    const hasOther = line.bad !== undefined || nowhere(path) !== path;
    if (hasOther) {
      const response = await admin.call(method, line.bad ? path : nowhere(path), body);
      expect(response.status).toBeWithin(400, 500);
      expect(await rows()).toHaveLength(before.length);
    }
    const done = await admin.call(method, path, line.good(things));
    expect([done.body, done.status < 300]).toEqual([done.body, true]);
    const [row, ...more] = (await rows()).slice(before.length);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ action: line.action, actor_id: admin.user.id, ip: "127.0.0.1" });
    const answer = done.status === 204 ? {} : done.body;
    for (const secret of [answer.token, answer.password, answer.link?.split("=")[1]]) {
      if (secret) secrets.push(secret);
    }
  });

  test.each(ENDS)("is written by nobody %s meanwhile", async (_, code, end) => {
    const before = await rows();
    for (const [route, line] of Object.entries(LINES)) {
      const leaver = await world.person(`leaver-${Bun.randomUUIDv7().slice(-8)}`, {
        isSiteAdmin: true,
      });
      const method = route.split(" ")[0] ?? "";
      const answer = await commitDuring(
        world,
        (tx) => tx.execute(end(leaver.user.id)),
        () => leaver.call(method, line.path(things), line.good(things)),
      );
      expect([route, answer.body.code]).toEqual([route, code]);
    }
    expect(await rows()).toEqual(before);
  });

  test("contains no secrets", async () => {
    const text = JSON.stringify(await rows());
    expect(secrets.length).toBeGreaterThan(4);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
