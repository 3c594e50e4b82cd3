import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { readSmtpWithPassword } from "../../src/email/settings.ts";
import { loadSecretKey, parseSecretKeys } from "../../src/platform/secrets/secrets.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { beginLogin, codeOf, finishLogin, turnOnTotp } from "../support/factors.ts";
import { Idp } from "../support/idp.ts";
import { Visitor } from "../support/providers.ts";
import { Receiver } from "../support/receiver.ts";
import { World } from "../support/world.ts";

const SMTP = {
  host: "localhost",
  port: 25,
  security: "none",
  username: "snug",
  password: "the mail password",
  from: "snug@example.org",
};
const OLD = Buffer.alloc(32, 1).toString("base64");
const NEW = Buffer.alloc(32, 2).toString("base64");

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.stop());

async function rotate(more: Record<string, string> = {}) {
  const env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR, ...more };
  return runCli(["secrets", "rotate", "--json"], env);
}
const passwordWith = async (key: string) =>
  (await readSmtpWithPassword(world.database.db, async () => parseSecretKeys([key]) as never))?.auth
    ?.pass;

test("a command in the wrong folder makes no key there, and says what to set", async () => {
  const DATA_DIR = join(world.settings.DATA_DIR, "elsewhere");
  const env = { DATABASE_URL: urlOf(world.target), DATA_DIR };
  const words = ["invite", "grace@example.org"];
  expect(await runCli(words, env)).toEqual({
    status: 1,
    out: "",
    err: `There is no secret key in ${DATA_DIR}: set DATA_DIR or SECRET_KEY as the service has it, or start the service once.\n`,
  });
  expect(await Bun.file(join(DATA_DIR, "secret.key")).exists()).toBe(false);
});

test("the data folder and its key are for their owner alone", async () => {
  const folder = join(world.settings.DATA_DIR, "new");
  await loadSecretKey(folder, null);
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect([await modeOf(folder), await modeOf(join(folder, "secret.key"))]).toEqual(["700", "600"]);
});

test("secrets rotate creates a new key, which a running service uses, and the old one unseals nothing", async () => {
  const admin = await world.person("ada", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", SMTP);
  const [before] = await loadSecretKey(world.settings.DATA_DIR, null);
  const { status, out } = await rotate();
  expect([status, JSON.parse(out)]).toEqual([0, { resealed: 1 }]);
  const file = await readFile(join(world.settings.DATA_DIR, "secret.key"), "utf8");
  const after = file.trim();
  expect(after).not.toBe(before.toString("base64"));
  expect(await passwordWith(after)).toBe(SMTP.password);
  await expect(passwordWith(before.toString("base64"))).rejects.toThrow("another SECRET_KEY");
  // The service seals and unseals with it without a restart.
  await admin.put("/api/admin/settings/smtp", { ...SMTP, password: "another one" });
  expect(await passwordWith(after)).toBe("another one");
});

test("secrets rotate seals both secrets of a webhook again, and deliveries are still signed", async () => {
  const receiver = new Receiver();
  const other = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  const ada = await other.person("ada");
  const base = `/api/rooms/${await other.room("hooks", ada)}/outgoing-webhooks`;
  const params = { name: "CI", url: receiver.at("/hook"), events: ["message.created"] };
  const { body: made } = await ada.post(base, params);
  const { body: rotated } = await ada.post(`${base}/${made.id}/rotate-secret`);
  const env = { DATABASE_URL: urlOf(other.target), DATA_DIR: other.settings.DATA_DIR };
  const { out } = await runCli(["secrets", "rotate", "--json"], env);
  expect(JSON.parse(out)).toEqual({ resealed: 2 });
  expect((await ada.post(`${base}/${made.id}/test`)).body.state).toBe("delivered");
  const [delivery] = await receiver.until("/hook", 1);
  for (const { secret } of [made, rotated]) {
    expect(() =>
      new Webhook(secret).verify(delivery?.text ?? "", delivery?.headers ?? {}),
    ).not.toThrow();
  }
  await other.stop();
  await receiver.stop();
});

test("a SECRET_KEY is replaced by the one before the comma", async () => {
  const { DATA_DIR } = world.settings;
  const other = await World.start({ SECRET_KEY: OLD });
  const admin = await other.person("ada", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", SMTP);
  const env = { DATABASE_URL: urlOf(other.target), DATA_DIR };
  const answer = await runCli(["secrets", "rotate", "--json"], {
    ...env,
    SECRET_KEY: `${NEW},${OLD}`,
  });
  expect(JSON.parse(answer.out)).toEqual({ resealed: 1 });
  const smtp = await readSmtpWithPassword(
    other.database.db,
    async () => parseSecretKeys([NEW]) as never,
  );
  expect(smtp?.auth?.pass).toBe(SMTP.password);
  await other.stop();
});

test("a rotation that cannot unseal the secrets changes nothing", async () => {
  const admin = await world.person("ada", { isSiteAdmin: true });
  await admin.put("/api/admin/settings/smtp", SMTP);
  const { status, err } = await rotate({ SECRET_KEY: NEW });
  expect([status, err]).toEqual([1, expect.stringContaining("another SECRET_KEY")]);
  const [key] = await loadSecretKey(world.settings.DATA_DIR, null);
  expect(await passwordWith(key.toString("base64"))).toBe(SMTP.password);
});

test("secrets rotate seals what sign-in needs again, also a sign-in that is at a provider", async () => {
  const idp = await Idp.start();
  const other = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
  const ada = await other.person("ada", { isSiteAdmin: true });
  const { secret } = await turnOnTotp(ada);
  const next = (await ada.post("/api/auth/me/totp")).body.secret;
  const params = { slug: "example", ...idp.settings, allow_signup: true };
  await ada.post("/api/admin/identity-providers", params);
  const browser = new Visitor(other, "example");
  const location = await browser.start();
  const env = { DATABASE_URL: urlOf(other.target), DATA_DIR: other.settings.DATA_DIR };
  const { out } = await runCli(["secrets", "rotate", "--json"], env);
  // The app in use and the next one, the provider's secret, and the sign-in's verifier.
  expect(JSON.parse(out)).toEqual({ resealed: 4 });
  const claims = { sub: "grace", email: "grace@example.org", email_verified: true };
  expect((await browser.get(idp.signIn(location, claims))).status).toBe(302);
  const { cookie } = await beginLogin(other, "ada");
  expect((await finishLogin(other, cookie, { totp: codeOf(secret) })).status).toBe(200);
  const code = codeOf(next);
  expect((await ada.post("/api/auth/me/totp/confirm", { code })).status).toBe(200);
  await other.stop();
  await idp.stop();
});
