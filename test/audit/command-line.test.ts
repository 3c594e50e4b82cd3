import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/run.ts";
import { inMinutes } from "../personal/stage.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { PICTURES } from "../support/images.ts";
import { World } from "../support/world.ts";

/** Commands that change something, in an order that works, with the rows that they write. */
const CHANGING: [args: string, action: string, target: string, details: object][] = [
  ["user create eve --email eve@example.org", "user.create", "eve", { is_site_admin: false }],
  ["user promote eve", "user.promote", "eve", {}],
  ["user demote eve", "user.demote", "eve", {}],
  ["user set-password eve", "user.reset_password", "eve", {}],
  ["user keeps-password eve on", "user.update", "eve", { keeps_password: true }],
  ["user unlock eve", "user.unlock", "eve", {}],
  ["user reset-second-factor eve", "user.reset_second_factor", "eve", {}],
  [
    "sign-in set --second-factor administrators",
    "settings.sign_in",
    "sign-in",
    { second_factor: "administrators" },
  ],
  [
    "oidc add corp --name Corp --issuer https://idp.example.org --client-id snug",
    "provider.create",
    "corp",
    { issuer: "https://idp.example.org", client_secret: "none" },
  ],
  ["oidc set corp --allow-signup=on", "provider.update", "corp", { allow_signup: true }],
  ["oidc remove corp", "provider.delete", "corp", {}],
  ["user deactivate eve", "user.deactivate", "eve", {}],
  ["user reactivate eve", "user.reactivate", "eve", {}],
  ["invite grace@example.org", "invite.create", "grace@example.org", { room_ids: [] }],
  ["invite resend grace@example.org", "invite.resend", "grace@example.org", {}],
  ["invite mary@example.org", "invite.create", "mary@example.org", { room_ids: [] }],
  ["invite revoke mary@example.org", "invite.revoke", "mary@example.org", {}],
  ["bot create builds", "bot.create", "builds", { display_name: null }],
  [
    "bot token builds --scope read:messages --name ci",
    "token.create",
    "ci",
    { bot: "builds", scopes: ["read:messages"], expires_at: null },
  ],
  ["bot delete-scheduled clock SCHEDULED", "scheduled.delete", "clock", { state: "waiting" }],
  ["bot revoke TOKEN", "token.revoke", "ci", { bot: "builds" }],
  ["room archive hall", "room.archive", "hall", {}],
  ["room unarchive hall", "room.unarchive", "hall", {}],
  ["room default hall on", "room.update", "hall", { is_default: true }],
  ["room transfer hall eve", "room.transfer", "hall", { from: "ada", to: "eve" }],
  ["webhook delete WEBHOOK", "webhook.delete", "CI", {}],
  ["room delete hall --yes", "room.delete", "hall", {}],
  ["invite-link create ada --days 2 --uses 5", "invite_link.create", "", { days: 2, max_uses: 5 }],
  ["invite-link revoke LINK", "invite_link.revoke", "", { uses: 0 }],
  [
    "mail set --host mail.example.org --from snug@example.org --username ada",
    "settings.smtp",
    "smtp",
    { host: "mail.example.org", port: 587, security: "starttls", password: "kept" },
  ],
  ["mail remove", "settings.smtp", "smtp", { removed: true }],
  ["team name Engines", "settings.team", "team", { name: "Engines" }],
  ["team logo LOGO", "settings.team", "team", { logo: "changed" }],
  ["team remove-logo", "settings.team", "team", { logo: "removed" }],
  ["uploads limit 50", "settings.uploads", "uploads", { max_bytes: 52_428_800 }],
  [
    "sections set SECTIONS",
    "settings.sections",
    "sections",
    { sections: [{ name: "Rest", rooms: 0 }] },
  ],
  ["jobs retry JOB", "job.retry", "link_preview", {}],
];
/** Calls of the same commands that are refused or change nothing. */
const IDLE = [
  "user create ada --email new@example.org",
  "user promote ada",
  "user demote eve",
  "user demote ada",
  "user deactivate ada",
  "user reactivate eve",
  "user set-password nobody",
  "oidc add corp --name Corp --issuer http://idp.example.org --client-id snug",
  "oidc set nowhere --exclusive=off",
  "oidc remove nowhere",
  "user keeps-password eve on",
  "user unlock nobody",
  "user reset-second-factor eve",
  "sign-in set --second-factor administrators",
  "invite grace@example.org",
  "invite resend mary@example.org",
  "invite revoke nobody@example.org",
  "bot create ada",
  "bot token ada --scope read:messages",
  `bot delete-scheduled clock ${Bun.randomUUIDv7()}`,
  `bot revoke ${Bun.randomUUIDv7()}`,
  "room archive nowhere",
  "room unarchive hall",
  "room default nowhere on",
  "room transfer nowhere eve",
  "room delete nowhere --yes",
  "room delete hall",
  `webhook delete ${Bun.randomUUIDv7()}`,
  "invite-link create eve",
  `invite-link revoke ${Bun.randomUUIDv7()}`,
  "mail set --host mail.example.org --from nobody",
  "mail remove",
  `team name ${"x".repeat(200)}`,
  "team logo nowhere.png",
  "team remove-logo",
  "uploads limit 0",
  "sections set nowhere.txt",
  `jobs retry ${Bun.randomUUIDv7()}`,
];

let world: World;
let webhookId = "";
let scheduledId = "";
const logo = join(PICTURES, "moving.png");
const sectionsFile = join(tmpdir(), `snug-sections-${process.pid}.txt`);
const JOB = Bun.randomUUIDv7();
let env: { DATABASE_URL: string; DATA_DIR: string };
beforeAll(async () => {
  world = await World.start();
  await Bun.write(sectionsFile, "Rest:\n");
  env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
  const ada = await world.person("ada", { isSiteAdmin: true });
  const clock = await world.bot("clock", ["write:messages"]);
  const room = await world.room("hall", ada, [clock]);
  const message = { room_id: room, content: "Lunch", send_at: inMinutes(60), zone: "UTC" };
  scheduledId = (await clock.post("/api/scheduled", message)).body.id;
  webhookId = (await ada.post(`/api/rooms/${room}/incoming-webhooks`, { name: "CI" })).body.id;
  await world.database.sql`
    insert into jobs (id, kind, payload, attempts, max_attempts, failed_at, last_error)
    values (${JOB}, 'link_preview', '{"messageId": "none"}', 5, 5, now(), 'refused')`;
});
afterAll(async () => {
  await world.stop();
  await rm(sectionsFile);
});

const rows = () => world.database.sql`
  select actor_id, ip, action, target_type, target_name, details, to_jsonb(l)::text as text
  from admin_audit_log l order by id`;

describe("the command line", () => {
  const secrets: string[] = [];
  let tokenId = "";
  let linkId = "";

  // A test each: the first call of a command is a process, and a busy machine takes its time for it.
  test.each(CHANGING)("writes one row for %s", async (args, action, target, details) => {
    const before = await rows();
    const words = args
      .replace("TOKEN", tokenId)
      .replace("LINK", linkId)
      .replace("WEBHOOK", webhookId)
      .replace("JOB", JOB)
      .replace("LOGO", logo)
      .replace("SECTIONS", sectionsFile)
      .replace("SCHEDULED", scheduledId)
      .split(" ");
    if (args.startsWith("user reset-second-factor")) {
      await world.database.sql`insert into totp (user_id, secret)
        select id, 'sealed' from users where username = 'eve'`;
    }
    const { status, out } = await runCli([...words, "--json"], env);
    expect(status).toBe(0);
    const { id, token, password, link } = JSON.parse(out);
    if (token) tokenId = id;
    if (args.startsWith("invite-link create")) linkId = id;
    secrets.push(...[token, password, link?.split("=")[1]].filter(Boolean));
    const after = await rows();
    expect(after).toHaveLength(before.length + 1);
    // Without an account or an address.
    expect(after.at(-1)).toMatchObject({
      actor_id: null,
      ip: null,
      action,
      target_type: action.split(".")[0],
      target_name: target || null,
      details,
    });
  });

  test("writes no secret", async () => {
    expect(secrets).toHaveLength(7);
    const text = (await rows()).map((row) => row.text).join();
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test.each(IDLE)("writes no row where it is refused or changes nothing: %s", async (args) => {
    const before = (await rows()).length;
    await runCli(args.split(" "), env);
    expect(await rows()).toHaveLength(before);
  });

  test.each(["changes", "refused"])("has a call of every audited command: %s", (list) => {
    const calls = list === "changes" ? CHANGING.map(([args]) => args) : IDLE;
    const audited = COMMANDS.filter(({ effect }) => effect === "audited");
    const isCalled = (name: string) => calls.some((args) => `${args} `.startsWith(`${name} `));
    expect(audited.map(({ name }) => name).filter((name) => !isCalled(name))).toEqual([]);
  });
});

test("audit lists what one account did", async () => {
  const judge = await world.person("judge", { isSiteAdmin: true });
  await judge.put("/api/admin/settings/team", { name: "Court" });
  const { status, out } = await runCli(["audit", "--actor", "judge", "--json"], env);
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    { action: "settings.team", actor: { username: "judge" } },
  ]);
  const unknown = await runCli(["audit", "--actor", "nobody"], env);
  expect([unknown.status, unknown.out]).toEqual([1, ""]);
  expect(unknown.err).toMatch(/^[^\n]+\n$/);
});
