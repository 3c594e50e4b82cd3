import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Client, expectProblem } from "../support/client.ts";
import { ACCOUNT, BAD_LOGIN, LOCALHOST_CA, MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

const PATH = "/api/admin/settings/smtp";
const ca = readFileSync(LOCALHOST_CA, "utf8");

let world: World;
let admin: Client;
let secure: MailServer;
let plain: MailServer;
beforeAll(async () => {
  [world, secure, plain] = await Promise.all([
    World.start({}, { ca }),
    MailServer.open("starttls"),
    MailServer.open("plain"),
  ]);
  admin = await world.person("ada", { isSiteAdmin: true });
});
afterAll(() => Promise.all([world.stop(), secure.close(), plain.close()]));
/** The audit log when the test began. */
let before: number;
beforeEach(async () => {
  before = (await allRows()).length;
});
// The next test finds none.
afterEach(() => admin.delete(PATH));

const sendTest = () => admin.post(`${PATH}/test`, { to: "someone@example.org" });
const allRows = () =>
  world.database.sql`select * from admin_audit_log where action = 'settings.smtp' order by id`;
const rows = async () => (await allRows()).slice(before);

describe("the settings of outgoing mail", () => {
  test("are all null until they are set", async () => {
    expect(await admin.get(PATH)).toMatchObject({
      status: 200,
      body: { host: null, port: null, security: null, username: null, from: null },
    });
    expectProblem(await sendTest(), 409, "smtp_not_configured");
  });

  test("are read without the password, which is stored sealed", async () => {
    const { password, ...shown } = secure.settings as typeof secure.settings & typeof ACCOUNT;
    const answer = await admin.put(PATH, secure.settings);
    expect(answer).toMatchObject({ status: 200, body: { ...shown, has_password: true } });
    const read = await admin.get(PATH);
    expect(read.body).toEqual({ ...shown, has_password: true });
    const [row] = await world.database.sql`select * from smtp_settings`;
    expect(JSON.stringify([answer.body, read.body])).not.toContain(password);
    expect(row?.password.toString("latin1")).not.toContain(password);
  });

  test("keep an absent password and remove it with null", async () => {
    await admin.put(PATH, secure.settings);
    const { password: _, ...without } = secure.settings as typeof ACCOUNT;
    expect((await admin.put(PATH, without)).body.has_password).toBe(true);
    expect((await sendTest()).status).toBe(200);
    expect((await admin.put(PATH, { ...without, password: null })).body.has_password).toBe(false);
  });

  test.each([
    ["a port out of range", { port: 0 }],
    ["an unknown security", { security: "ssl" }],
    ["a host with a line break", { host: "localhost\r\nX: y" }],
    ["a sender that is no address", { from: "Snug" }],
    ["a sender with a line break", { from: "Snug\r\nBcc: eve@example.org <a@example.org>" }],
    ["two senders", { from: "a@example.org, b@example.org" }],
    ["a password with a line break", { password: "a\nb" }],
  ])("refuse %s and stay", async (_, wrong) => {
    await admin.put(PATH, plain.settings);
    const response = await admin.get(PATH);
    expectProblem(await admin.put(PATH, { ...plain.settings, ...wrong }), 422, "validation");
    expect((await admin.get(PATH)).body).toEqual(response.body);
    expect(await rows()).toHaveLength(1);
  });

  test("can be removed", async () => {
    await admin.put(PATH, plain.settings);
    expect((await admin.delete(PATH)).status).toBe(204);
    expect((await admin.get(PATH)).body.host).toBeNull();
    expectProblem(await sendTest(), 409, "smtp_not_configured");
  });

  test("write the audit log, without the password", async () => {
    await admin.put(PATH, secure.settings);
    await admin.delete(PATH);
    const written = await rows();
    expect(written).toMatchObject([
      {
        actor_id: admin.user.id,
        target_type: "settings",
        target_name: "smtp",
        ip: "127.0.0.1",
        details: { host: "localhost", port: secure.port, username: "snug", password: "changed" },
      },
      { details: { removed: true } },
    ]);
    expect(JSON.stringify(written)).not.toContain(ACCOUNT.password);
  });
});

describe("the test mail", () => {
  test("is sent over STARTTLS to a server that requires authentication", async () => {
    await admin.put(PATH, secure.settings);
    expect((await sendTest()).status).toBe(200);
    const { to, tls, mail } = await secure.next();
    expect([to, tls]).toEqual([["someone@example.org"], true]);
    expect(mail.from?.value).toEqual([{ address: "snug@example.org", name: "Snug" }]);
    expect(mail.subject).toStartWith("Test mail from Snug");
  });

  test("is sent unencrypted if that is configured", async () => {
    await admin.put(PATH, plain.settings);
    expect((await sendTest()).status).toBe(200);
    expect((await plain.next()).tls).toBe(false);
  });

  test("fails with the server's message", async () => {
    await admin.put(PATH, { ...secure.settings, password: "another" });
    const answer = await sendTest();
    expectProblem(answer, 502, "delivery_failed");
    expect(answer.body.detail).toContain(`535 ${BAD_LOGIN}`);
    await admin.put(PATH, plain.settings);
    plain.refusals.push({ code: 550, words: "5.1.1 No such person here" });
    expect((await sendTest()).body.detail).toContain("550 5.1.1 No such person here");
  });

  test("is not sent unencrypted if STARTTLS is configured and not offered", async () => {
    await admin.put(PATH, { ...plain.settings, security: "starttls" });
    const { length } = plain.received;
    expectProblem(await sendTest(), 502, "delivery_failed");
    expect(plain.received).toHaveLength(length);
  });

  test("reports that nothing listens", async () => {
    const tab = await MailServer.open("plain");
    await tab.close();
    await admin.put(PATH, { ...plain.settings, port: tab.port });
    const answer = await sendTest();
    expectProblem(answer, 502, "delivery_failed");
  });
});

test("an untrusted certificate is refused", async () => {
  const doubting = await World.start();
  const someone = await doubting.person("ada", { isSiteAdmin: true });
  await someone.put(PATH, secure.settings);
  const { length } = secure.received;
  expectProblem(
    await someone.post(`${PATH}/test`, { to: "a@example.org" }),
    502,
    "delivery_failed",
  );
  expect(secure.received).toHaveLength(length);
  await doubting.stop();
});

describe("mail that cannot be sent", () => {
  const OVERVIEW = "/api/admin/overview";
  const shown = async () => [
    (await admin.get(OVERVIEW)).body.mail_failure,
    (await admin.get(PATH)).body.failure,
  ];
  let since: number;
  beforeEach(() => {
    since = Date.now();
  });

  test.each<[string, () => Promise<MailServer | object>, string]>([
    ["AUTH is refused", async () => ({ ...secure.settings, password: "old" }), BAD_LOGIN],
    [
      "AUTH is refused for now",
      async () => {
        secure.refusals.push({ code: 454, words: "4.7.0 Temporary failure", at: "auth" });
        return secure.settings;
      },
      "454 4.7.0",
    ],
    [
      "MAIL FROM is refused",
      async () => {
        plain.refusals.push({ code: 554, words: "5.7.1 On a blocklist", at: "mail" });
        return plain.settings;
      },
      "554 5.7.1 On a blocklist",
    ],
    [
      "MAIL FROM is refused for now",
      async () => {
        plain.refusals.push({ code: 451, words: "4.3.0 Later", at: "mail" });
        return plain.settings;
      },
      "451 4.3.0 Later",
    ],
    [
      "the recipient is refused, as we did not sign in",
      async () => {
        plain.refusals.push({ code: 530, words: "5.7.0 Sign in first", at: "rcpt" });
        return plain.settings;
      },
      "530 5.7.0",
    ],
    [
      "the server is about to stop",
      async () => {
        plain.refusals.push({ code: 421, words: "4.3.2 Going down", at: "data" });
        return plain.settings;
      },
      "421 4.3.2",
    ],
    ["nothing listens", async () => ({ ...plain.settings, port: 9 }), "ECONNREFUSED"],
    [
      "there is no such host",
      async () => ({ ...plain.settings, host: "mail.invalid" }),
      "mail.invalid",
    ],
    [
      "STARTTLS is not offered",
      async () => ({ ...plain.settings, security: "starttls" }),
      "STARTTLS",
    ],
  ])("is shown until one is sent: %s", async (_, prepare, answer) => {
    expect(await shown()).toEqual([undefined, undefined]);
    await admin.put(PATH, await prepare());
    expectProblem(await sendTest(), 502, "delivery_failed");
    const [overview, settings] = await shown();
    expect(overview).toEqual(settings);
    expect(overview).toMatchObject({ error: expect.stringContaining(answer), waiting: 0 });
    const at = Date.parse(overview.since);
    expect([at >= since - 5, at <= Date.now() + 5]).toEqual([true, true]);
    // Other settings are no mail that is sent, and another failure keeps the time.
    await admin.put(PATH, { ...plain.settings, port: 9 });
    await sendTest();
    expect((await shown())[0]).toMatchObject({
      since: overview.since,
      error: expect.stringContaining("ECONNREFUSED"),
    });
    await admin.put(PATH, plain.settings);
    expect((await shown())[0].since).toBe(overview.since);
    expect((await sendTest()).status).toBe(200);
    expect(await shown()).toEqual([undefined, undefined]);
  });

  test.each<[string, { code: number; words: string; at: "rcpt" | "data" }]>([
    ["a recipient that there is not", { code: 550, words: "5.1.1 Nobody", at: "rcpt" }],
    ["a recipient who has to wait", { code: 450, words: "4.2.0 Greylisted", at: "rcpt" }],
    ["a full mailbox", { code: 452, words: "4.2.2 Full", at: "rcpt" }],
    ["a message that is not wanted", { code: 554, words: "5.7.1 Spam", at: "data" }],
    ["a message that has to wait", { code: 451, words: "4.7.1 Later", at: "data" }],
  ])("is not said of one mail: %s", async (_, refusal) => {
    await admin.put(PATH, plain.settings);
    plain.refusals.push(refusal);
    expectProblem(await sendTest(), 502, "delivery_failed");
    expect(await shown()).toEqual([undefined, undefined]);
  });

  test("waits, is counted, and is not in the audit log", async () => {
    await admin.put(PATH, { ...secure.settings, password: "old" });
    for (const name of ["one", "two"]) {
      const invite = { email: `${name}@example.org`, room_ids: [] };
      expect((await admin.post("/api/admin/invites", invite)).status).toBe(201);
    }
    const failed = () => world.database.sql`select from jobs
      where kind = 'invite_mail' and last_error like ${`%${BAD_LOGIN}`}`;
    await eventually(async () => (await failed()).length >= 2);
    expect((await shown())[0]).toMatchObject({
      error: expect.stringContaining(BAD_LOGIN),
      waiting: 2,
    });
    await admin.put(PATH, secure.settings);
    await world.database.sql`update jobs set run_at = clock_timestamp() where kind = 'invite_mail'`;
    await world.database.sql`select pg_notify('snug_jobs', '')`;
    await secure.next();
    await secure.next();
    await eventually(async () => (await shown())[0] === undefined);
    expect(JSON.stringify(await rows())).not.toContain("failure");
  });
});
