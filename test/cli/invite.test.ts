import { afterAll, beforeAll, expect, test } from "bun:test";
import { MailServer } from "../support/smtp.ts";
import { urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
let mails: MailServer;
let env: Record<string, string>;
beforeAll(async () => {
  mails = await MailServer.open("plain");
  world = await World.start();
  env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
});
afterAll(async () => {
  await world.stop();
  await mails.close();
});

const cli = (args: string) => Running.cli(args.split(" "), env);

test("invite prints a link where no mail goes out, and it leads into the room", async () => {
  const ada = await world.person("ada");
  await world.room("engines", ada);
  const { status, out } = await cli("invite grace@example.org --room #engines");
  expect(status).toBe(0);
  const token = /\/signup#token=([\w-]{43})$/m.exec(out)?.[1];
  const account = { token, username: "grace", password: PASSWORD };
  expect((await world.anonymous.post("/api/signup", account)).status).toBe(201);
  expect((await ada.get("/api/rooms")).body.items[0].member_count).toBe(2);
});

test("invite sends a mail where one goes out, by a service that runs", async () => {
  const admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
  const { status, out } = await cli("invite alan@example.org --json");
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ email_queued: true, link: null, invited_by: null });
  const { to, mail } = await mails.next();
  expect(to).toEqual(["alan@example.org"]);
  expect(mail.subject).toStartWith("You are invited to Snug");
});

test.each([
  ["invite nobody", "nobody is no email address."],
  ["invite eve@example.org --room nowhere", "There is no room #nowhere."],
])("%s is refused in a sentence", async (args, words) => {
  const { status, err } = await cli(args);
  expect([status, err.trim()]).toEqual([1, words]);
});
