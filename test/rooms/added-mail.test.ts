import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";

let mails: MailServer;
let world: World;
let owner: Client;
let room: string;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start();
  const admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
  owner = await world.person("ada", { displayName: "Ada <b>\u202eL." });
  room = await world.room("engines", owner);
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

const add = (client: Client) =>
  owner.post(`/api/rooms/${room}/members`, { user_id: client.user.id });

test("someone who is added to a room gets a mail, in text and HTML", async () => {
  const grace = await world.person("grace", { displayName: 'Grace "Amazing", <eve@evil.example>' });
  expect((await add(grace)).status).toBe(201);
  const { to, raw, mail } = await mails.next();
  expect(to).toEqual(["grace@example.org"]);
  expect(mail.to).toMatchObject({
    value: [{ address: "grace@example.org", name: 'Grace "Amazing", <eve@evil.example>' }],
  });
  expect(mail.subject).toStartWith("Ada <b> L. added you to #engines at ");
  expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@example\.org>$/);
  expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
  expect(raw).toMatch(/^List-Unsubscribe: <http:\/\/\S+\/profile\/notifications>/im);
  expect(mail.text).toContain("/rooms/engines");
  expect(String(mail.html)).toContain("Ada &lt;b&gt;");
  expect(String(mail.html)).not.toContain("<b>");
});

test("nobody gets one who has turned it off, who joined alone, or who left before it was sent", async () => {
  const quiet = await world.person("quiet");
  const answer = await quiet.patch("/api/auth/me", { email_on_added: false });
  expect(answer.body.email_on_added).toBe(false);
  await add(quiet);
  const open = await world.room("open", owner, [], "open");
  const joiner = await world.person("joiner");
  expect((await joiner.post(`/api/rooms/${open}/join`)).status).toBe(200);
  const bot = await world.bot("bot", []);
  await add(bot);
  // Mails go out in their order: what was left out does not come before this one.
  const last = await world.person("last");
  await add(last);
  expect((await mails.next()).to).toEqual(["last@example.org"]);
});

test("a name cannot add a header to the mail", async () => {
  const { sql } = world.database;
  const eve = await world.person("eve", { displayName: "Eve" });
  // Past the rules, as if one of them had a hole.
  await sql`update users set display_name = ${"Eve\r\nBcc: all@example.org"} where id = ${eve.user.id}`;
  await sql`update users set display_name = ${"Ada\r\nX-Evil: yes"} where id = ${owner.user.id}`;
  await add(eve);
  const { to, mail } = await mails.next();
  expect(to).toEqual(["eve@example.org"]);
  expect([...mail.headers.keys()]).not.toContain("x-evil");
  expect([...mail.headers.keys()]).not.toContain("bcc");
});
