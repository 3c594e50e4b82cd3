import { afterAll, beforeAll, expect, test } from "bun:test";
import { MailServer } from "../support/smtp.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { PASSWORD, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

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

const cli = (args: string) => runCli(args.split(" "), env);

test("invite prints a link without mail, and signup with it joins the room", async () => {
  const ada = await world.person("ada");
  await world.room("engines", ada);
  const { status, out } = await cli("invite grace@example.org --room #engines");
  expect(status).toBe(0);
  const token = /\/signup#token=([\w-]{43})$/m.exec(out)?.[1];
  const account = { token, username: "grace", password: PASSWORD };
  expect((await world.anonymous.post("/api/signup", account)).status).toBe(201);
  expect((await ada.get("/api/rooms")).body.items[0].member_count).toBe(2);
});

test("invite sends a mail through a running service if mail is configured", async () => {
  const admin = await world.person("admin", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", mails.settings);
  const { status, out } = await cli("invite alan@example.org --json");
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ email_queued: true, link: null, invited_by: null });
  const { to, mail } = await mails.next();
  expect(to).toEqual(["alan@example.org"]);
  expect(mail.subject).toStartWith("You are invited to Snug");
});

test("invites are listed, resent and revoked by address", async () => {
  const own = await World.start();
  const at = { DATABASE_URL: urlOf(own.target), DATA_DIR: own.settings.DATA_DIR };
  const cli = (args: string) => runCli(args.split(" "), at);
  const tokenIn = (out: string) => /\/signup#token=([\w-]{43})$/m.exec(out)?.[1];
  const check = async (token?: string) =>
    (await own.anonymous.post("/api/signup/check", { token })).status;
  expect((await cli("invite list")).out).toBe("No invites yet.\n");

  const first = tokenIn((await cli("invite mary@example.org")).out);
  const again = await cli("invite resend Mary@example.org");
  expect(again).toMatchObject({ status: 0, err: "" });
  const second = tokenIn(again.out);
  expect([await check(first), await check(second)]).toEqual([404, 200]);
  expect((await cli("invite list")).out).toMatch(
    /^mary@example\.org +pending +by the command line +until \S+\n$/,
  );

  expect(await cli("invite revoke mary@example.org")).toMatchObject({
    status: 0,
    out: "Revoked the invite for mary@example.org.\n",
  });
  expect(await check(second)).toBe(404);
  const [listed] = JSON.parse((await cli("invite list --json")).out);
  expect(listed).toMatchObject({ email: "mary@example.org", status: "revoked" });
  const result = await cli("invite resend mary@example.org");
  expect([result.status, result.err]).toEqual([
    1,
    "This invite was revoked. Invite the person again.\n",
  ]);
  const rows = await own.database.sql`
    select action, actor_id, target_name from admin_audit_log order by id`;
  expect(rows.map(({ action }) => action)).toEqual([
    "invite.create",
    "invite.resend",
    "invite.revoke",
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ actor_id: null, target_name: "mary@example.org" });
  }
  await own.stop();
});

test.each([
  ["invite resend nobody@example.org", "There is no invite for nobody@example.org."],
  ["invite revoke nobody@example.org", "There is no invite for nobody@example.org."],
  ["invite nobody", "nobody is not an email address."],
  ["invite eve@example.org --room nowhere", "There is no room named nowhere."],
])("%s is refused with one sentence", async (args, words) => {
  const { status, err } = await cli(args);
  expect([status, err.trim()]).toEqual([1, words]);
});

test("doctor says since when mail cannot be sent, although the server is reached", async () => {
  const mailLine = async () => {
    const { out } = await cli("doctor --json");
    return JSON.parse(out).find(({ check }: { check: string }) => check === "mail");
  };
  expect(await mailLine()).toMatchObject({ ok: true });
  mails.refusals.push({ code: 554, words: "5.7.1 On a blocklist", at: "mail" });
  await cli("invite waits@example.org");
  await mails.untilRefused(1);
  let line = await mailLine();
  await eventually(async () => {
    line = await mailLine();
    return !line.ok;
  });
  expect(line.detail).toMatch(
    /^no mail could be sent since 20.*, 1 mail waiting: MAIL FROM: 554 5\.7\.1 On a blocklist/,
  );
  await world.database.sql`update jobs set run_at = clock_timestamp() where kind = 'invite_mail'`;
  await world.database.sql`select pg_notify('snug_jobs', '')`;
  await mails.next();
  await eventually(async () => {
    line = await mailLine();
    return line.ok;
  });
  expect(line.detail).toStartWith("signed in to");
});
