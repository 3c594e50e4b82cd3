import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createMailer, type Mailer } from "../../src/email/mailer.ts";
import { renderTestMail } from "../../src/email/templates.ts";
import { FatalJobError } from "../../src/jobs-queue/job.ts";
import type { Client } from "../support/client.ts";
import { LOCALHOST_CA, MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

const PATH = "/api/admin/settings/smtp";

let world: World;
let admin: Client;
let mails: MailServer;
let secure: MailServer;
let mailer: Mailer;
beforeAll(async () => {
  const ca = readFileSync(LOCALHOST_CA, "utf8");
  [world, mails, secure] = await Promise.all([
    World.start({}, { ca }),
    MailServer.open("plain", { hideSMTPUTF8: true }),
    MailServer.open("starttls"),
  ]);
  admin = await world.person("ada", { isSiteAdmin: true });
  mailer = createMailer(world.database.db, () => Promise.reject(new Error("no key is needed")));
});
afterAll(() => Promise.all([world.stop(), mails.close(), secure.close()]));
beforeEach(async () => {
  await admin.delete(PATH);
  await admin.put(PATH, mails.settings);
});

const FORGED = "=?utf-8?B?U2l0ZSBBZG1pbmlzdHJhdG9y?=";
const send = (to: { name: string; address: string }, subject: string) =>
  mailer.send({ ...renderTestMail(to.address, "Snug"), to, subject }, Bun.randomUUIDv7());

describe("a header", () => {
  test.each([
    [FORGED],
    ["=?utf-8?Q?a=0D=0ABcc:_eve@example.org?="],
    ["=?utf-8?Q?two words?= =?utf-8?Q?x?="],
    ["Ünal =?utf-8?B?U2l0ZQ==?="],
    ["=?x?b?"],
    [`${FORGED}${FORGED} ${"long ".repeat(30)}`.trim()],
    ['a "quoted" name, <with> (all) ; of : it\\'],
    ["用户 🦊 and a rather long name that goes on until it has to be folded somewhere"],
    ["plain"],
  ])("decodes to exactly the text that it was made of: %s", async (text) => {
    await send({ name: text, address: "grace@example.org" }, `${text} added you to #x`);
    const { mail, raw } = await mails.next();
    expect(mail.subject).toBe(`${text} added you to #x`);
    expect(mail.to).toMatchObject({ value: [{ name: text, address: "grace@example.org" }] });
    // Not even in quotes, where lenient readers decode it.
    const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
    expect(head).not.toContain(FORGED);
    expect(head).toMatch(/^[\x20-\x7e\r\n\t]*$/);
    for (const line of head.split("\r\n")) expect(line.length).toBeLessThanOrEqual(200);
  });

  test("names a sender as it was set", async () => {
    const from = `${FORGED} <snug@example.org>`;
    await admin.put(PATH, { ...mails.settings, from });
    await send({ name: "", address: "grace@example.org" }, "x");
    const { mail } = await mails.next();
    expect(mail.from?.value).toEqual([{ name: FORGED, address: "snug@example.org" }]);
    expect(mail.to).toMatchObject({ value: [{ address: "grace@example.org" }] });
  });

  test("has no character outside ASCII where the domain has", async () => {
    await admin.put(PATH, { ...mails.settings, from: "Snug <chat@müller.example>" });
    await send({ name: "", address: "grace@bücher.example" }, "x");
    const { raw, mail } = await mails.next();
    expect(raw).toContain("To: grace@xn--bcher-kva.example");
    expect(mail.messageId).toMatch(/^<[\w-]+@xn--mller-kva\.example>$/);
    expect(raw.slice(0, raw.indexOf("\r\n\r\n"))).toMatch(/^[\x20-\x7e\r\n\t]*$/);
  });
});

describe("a domain outside ASCII", () => {
  test.each([
    ["chat@例え.jp", "xn--r8jz45g.jp"],
    ["Größe 日本 <chat@xn--mller-kva.example>", "xn--mller-kva.example"],
    ["Snug <chat@MÜLLER.example>", "xn--mller-kva.example"],
    ['"Name, quoted" <a@faß.example>', "xn--fa-hia.example"],
    ["Snug <chat@sub.bücher.example>", "sub.xn--bcher-kva.example"],
  ])("is in ASCII in every header: %s", async (from, domain) => {
    await admin.put(PATH, { ...mails.settings, from });
    await send({ name: "Grüße, 日本", address: "grace@bücher.example" }, "Grüße");
    const { raw, mail } = await mails.next();
    expect(raw.slice(0, raw.indexOf("\r\n\r\n"))).toMatch(/^[\x20-\x7e\r\n\t]*$/);
    expect(mail.messageId).toEndWith(`@${domain}>`);
    expect(raw).toContain("grace@xn--bcher-kva.example");
  });
});

describe("a mailbox outside ASCII", () => {
  test.each(["用户@example.test", "grüße@bücher.example", "a🙂b@example.test"])(
    "of the sender delays mail, where the server has no SMTPUTF8: %s",
    async (address) => {
      await admin.put(PATH, { ...mails.settings, from: `Snug <${address}>` });
      const error = await send({ name: "", address: "grace@example.org" }, "x").catch((e) => e);
      expect(error).not.toBeInstanceOf(FatalJobError);
      expect(error.message).toContain(`SMTPUTF8, which ${address} needs`);
      expect(mails.waiting).toBe(0);
    },
  );

  test("is refused for good, with the cause, where the server has no SMTPUTF8", async () => {
    const error = await send({ name: "", address: "用户@example.test" }, "x").catch((e) => e);
    expect(error).toBeInstanceOf(FatalJobError);
    expect(error.message).toContain("SMTPUTF8");
    expect(error.message).toContain("用户@example.test");
    expect(mails.waiting).toBe(0);
  });

  test("is used where the server offers SMTPUTF8", async () => {
    const capable = await MailServer.open("plain");
    await admin.put(PATH, capable.settings);
    await send({ name: "", address: "用户@example.test" }, "x");
    expect((await capable.next()).to).toEqual(["用户@example.test"]);
    await capable.close();
  });
});

describe("a refusal with 5yz", () => {
  const outcome = () =>
    send({ name: "", address: "grace@example.org" }, "x").then(
      () => "sent",
      (error) => (error instanceof FatalJobError ? "final" : "later"),
    );

  test.each([
    ["auth", 535, "later"],
    ["auth", 554, "later"],
    ["mail", 554, "later"],
    ["mail", 550, "later"],
    // The server wants us to sign in: nothing is wrong with the recipient.
    ["rcpt", 530, "later"],
    ["data", 535, "later"],
    ["rcpt", 550, "final"],
    ["rcpt", 450, "later"],
    ["data", 554, "final"],
    ["data", 451, "later"],
  ] as const)("of %s, %d, is %s", async (at, code, wanted) => {
    const server = at === "auth" ? secure : mails;
    await admin.put(PATH, server.settings);
    server.refusals.push({ code, words: "5.7.1 No", at });
    const send = at === "auth" ? sendByRoute : outcome;
    expect(await send()).toBe(wanted);
    expect(server.refusals).toEqual([]);
  });

  /** With the service's own key, which opens the password: by the job's fate. */
  async function sendByRoute(): Promise<string> {
    const { sql } = world.database;
    const email = `${Bun.randomUUIDv7()}@example.org`;
    await admin.post("/api/admin/invites", { email });
    const read = () => sql`select failed_at, max_attempts from jobs where last_error is not null`;
    await eventually(async () => (await read()).count > 0);
    const [job] = await read();
    expect(job?.max_attempts).toBeGreaterThanOrEqual(16);
    await sql`delete from jobs`;
    return job?.failed_at === null ? "later" : "final";
  }
});
