import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser, demoteUser } from "../../src/accounts/administer.ts";
import { queueSecurityMail } from "../../src/sign-in/security-mail.ts";
import { queueMissedMails } from "../../src/activity/missed-mail.ts";
import type { Client } from "../support/client.ts";
import { linkOf, MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** What ends the reason for a mail between its first attempt, which the mail server refuses, and the next. */

let mails: MailServer;
let world: World;
let admin: Client;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start();
  admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

let count = 0;
let ada: Client;
let bob: Client;
let room: string;
beforeEach(async () => {
  const n = count++;
  const aDayAgo = new Date(Date.now() - 86_400_000);
  ada = await world.person(`ada${n}`, { displayName: "Ada" });
  bob = await world.person(`bob${n}`, { mentionsMailedAt: aDayAgo, passwordSetAt: aDayAgo });
  room = await world.room(`room-${n}`, ada);
});
afterEach(async () => {
  await world.database.sql`delete from jobs where kind like '%_mail'`;
  while (mails.waiting > 0) await mails.next();
});

const waiting = (kind: string) => world.database.sql<{ last_error: string | null }[]>`
  select last_error from jobs where kind = ${kind} and failed_at is null`;
const failed = (kind: string) => world.database.sql<{ last_error: string }[]>`
  select last_error from jobs where kind = ${kind} and failed_at is not null`;

/** Causes a mail whose first attempt the mail server refuses for the moment. */
async function refuseOnce(kind: string, cause: () => Promise<unknown>): Promise<void> {
  mails.refusals.push({ code: 451, words: "4.3.0 Later" });
  await cause();
  await eventually(async () => (await waiting(kind)).some((job) => job.last_error !== null));
  expect(mails.waiting).toBe(0);
}

/** Lets the next attempt come, and waits until it has ended. */
async function tryAgain(kind: string): Promise<void> {
  const { sql } = world.database;
  await sql`update jobs set run_at = clock_timestamp() - interval '1 second'
    where kind = ${kind} and failed_at is null`;
  await sql`select pg_notify('snug_jobs', '')`;
  await eventually(async () => (await waiting(kind)).length === 0);
}

const deactivate = (client: Client) => world.administer(client.user.username, deactivateUser);
const addBob = () => ada.post(`/api/rooms/${room}/members`, { user_id: bob.user.id });

describe("a mail that someone was added to a room", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["they were removed", () => ada.delete(`/api/rooms/${room}/members/${bob.user.id}`)],
    ["they have left", () => bob.post(`/api/rooms/${room}/leave`)],
    ["they were deactivated", () => deactivate(bob)],
    ["they want no such mail", () => bob.patch("/api/auth/me", { email_on_added: false })],
    ["the room was deleted", () => ada.delete(`/api/rooms/${room}`)],
  ])("is not sent once %s", async (_, end) => {
    await refuseOnce("added_mail", addBob);
    await end();
    await tryAgain("added_mail");
    expect(mails.waiting).toBe(0);
    expect(await failed("added_mail")).toHaveLength(0);
  });

  test("is sent otherwise", async () => {
    await refuseOnce("added_mail", addBob);
    await tryAgain("added_mail");
    expect((await mails.next()).to).toEqual([`${bob.user.username}@example.org`]);
  });
});

describe("a mail with what someone has missed", () => {
  /** Ada mentioned Bob 20 minutes ago, and nothing else. */
  async function mention(): Promise<string> {
    const { sql } = world.database;
    await addBob();
    await sql`delete from jobs where kind = 'added_mail'`;
    while (mails.waiting > 0) await mails.next();
    await sql`update memberships set joined_at = now() - interval '1 day' where room_id = ${room}`;
    const at = new Date(Date.now() - 20 * 60_000);
    const id = Bun.randomUUIDv7("hex", at);
    const [row] = await sql<{ seq: number }[]>`
      update rooms set last_seq = last_seq + 1 where id = ${room} returning last_seq as seq`;
    await sql`insert into messages (id, room_id, seq, author_id, content, created_at, has_embeds)
      values (${id}, ${room}, ${row?.seq ?? 0}, ${ada.user.id}, '@bob before', ${at}, true)`;
    await sql`insert into message_mentions (message_id, user_id, room_id, seq)
      values (${id}, ${bob.user.id}, ${room}, ${row?.seq ?? 0})`;
    return id;
  }
  const missed = async () => {
    await bob.patch("/api/auth/me", { email_on_added: false });
    const id = await mention();
    await refuseOnce("missed_mail", () => queueMissedMails(world.database));
    return id;
  };

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["they were removed", () => ada.delete(`/api/rooms/${room}/members/${bob.user.id}`)],
    ["they were deactivated", () => deactivate(bob)],
    ["the message was deleted", (id) => ada.delete(`/api/messages/${id}`)],
    ["the room was deleted", () => ada.delete(`/api/rooms/${room}`)],
    ["they want no such mail", () => bob.patch("/api/auth/me", { email_on_missed: false })],
  ])("is not sent once %s", async (_, end) => {
    const id = await missed();
    await end(id);
    await tryAgain("missed_mail");
    expect(mails.waiting).toBe(0);
    expect(await failed("missed_mail")).toHaveLength(0);
  });

  test("has the text as it is now", async () => {
    const id = await missed();
    await ada.patch(`/api/messages/${id}`, { content: `@${bob.user.username} after` });
    await tryAgain("missed_mail");
    const { mail } = await mails.next();
    expect(mail.text).toContain("after");
    expect(mail.text).not.toContain("before");
  });
});

describe("a mail about a change of how someone signs in", () => {
  test("is not sent once they are deactivated", async () => {
    await refuseOnce("security_mail", () =>
      world.database.db.transaction((tx) => queueSecurityMail(tx, bob.user.id, "password_changed")),
    );
    await deactivate(bob);
    await tryAgain("security_mail");
    expect(mails.waiting).toBe(0);
  });
});

describe("a mail to choose a new password", () => {
  const forget = () =>
    world.anonymous.post("/api/auth/forgot-password", {
      email: `${bob.user.username}@example.org`,
    });

  test.each<[string, () => Promise<unknown>]>([
    ["the account is deactivated", () => deactivate(bob)],
    [
      "a password was set since",
      () =>
        bob.put("/api/auth/me/password", {
          current_password: "correct horse battery",
          new_password: "a quite new password",
        }),
    ],
    [
      "the account has another address",
      () =>
        world.database.sql`update users set email = ${`other-${count}@example.org`}
          where id = ${bob.user.id}`,
    ],
  ])("is not sent once %s", async (_, end) => {
    await refuseOnce("reset_mail", forget);
    const received = mails.received.length;
    await end();
    await tryAgain("reset_mail");
    const { sql } = world.database;
    await eventually(
      async () => (await sql`select from jobs where kind like '%_mail'`).length === 0,
    );
    const since = mails.received.slice(received);
    expect(since.filter(({ raw }) => raw.includes("/reset-password"))).toEqual([]);
  });

  test("has a link that works otherwise", async () => {
    await refuseOnce("reset_mail", forget);
    await tryAgain("reset_mail");
    const { token } = linkOf(await mails.next(), "/reset-password");
    expect((await world.anonymous.post("/api/auth/reset-password/check", { token })).status).toBe(
      200,
    );
  });
});

describe("the mail of an invite", () => {
  let inviter: Client;
  let id: string;
  beforeEach(async () => {
    inviter = await world.person(`inviter-${count}`, { isSiteAdmin: true, displayName: "Grace" });
  });
  const email = () => `guest-${count}@example.org`;
  const invite = () =>
    refuseOnce("invite_mail", async () => {
      const answer = await inviter.post("/api/admin/invites", { email: email() });
      expect(answer.status).toBe(201);
      id = answer.body.id;
    });
  const set = (column: "accepted_at" | "expires_at") => () =>
    world.database.sql`update invites set ${world.database.sql(column)} = clock_timestamp()
      where id = ${id}`;

  test.each<[string, () => Promise<unknown>]>([
    ["it was revoked", () => admin.delete(`/api/admin/invites/${id}`)],
    ["it was accepted", set("accepted_at")],
    ["it has expired", set("expires_at")],
  ])("is not sent once %s", async (_, end) => {
    await invite();
    await end();
    await tryAgain("invite_mail");
    expect(mails.waiting).toBe(0);
    expect(await failed("invite_mail")).toHaveLength(0);
  });

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ["is deactivated", deactivate],
    ["is no administrator any more", ({ user }) => world.administer(user.username, demoteUser)],
  ])(
    "is not sent once its inviter %s, and is a failed job until another resends it",
    async (_, end) => {
      await invite();
      await end(inviter);
      await tryAgain("invite_mail");
      expect(mails.waiting).toBe(0);
      const [job] = (await admin.get("/api/admin/jobs?state=failed")).body.items;
      expect(job).toMatchObject({ kind: "invite_mail" });
      expect((await failed("invite_mail"))[0]?.last_error).toContain("may no longer invite");
      // The invite is open, and belongs to the one who resends it.
      const [listed] = (await admin.get("/api/admin/invites")).body.items;
      expect(listed).toMatchObject({ id, status: "pending" });
      const again = await admin.post(`/api/admin/invites/${id}/resend`);
      expect(again).toMatchObject({ status: 200, body: { invited_by: { username: "admin" } } });
      const received = await mails.next();
      expect(received.to).toEqual([email()]);
      const { token } = linkOf(received, "/signup");
      expect((await world.anonymous.post("/api/signup/check", { token })).status).toBe(200);
    },
  );

  test("is sent with the last link alone once it was resent", async () => {
    await invite();
    await admin.post(`/api/admin/invites/${id}/resend`);
    await tryAgain("invite_mail");
    await mails.next();
    expect(mails.waiting).toBe(0);
  });
});
