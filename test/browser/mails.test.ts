import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { renderAddedMail, renderInviteMail, renderResetMail } from "../../src/email/templates.ts";
import { launchBrowser, newPage, PHONE, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { LOCALHOST_CA, linkOf, MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let mails: MailServer;
let world: World;
let browser: Browser;
let admin: Client;
beforeAll(async () => {
  mails = await MailServer.open("starttls");
  const ca = readFileSync(LOCALHOST_CA, "utf8");
  [world, browser] = await Promise.all([World.start({}, { ca }), launchBrowser()]);
  admin = await world.person("ada", { isSiteAdmin: true, displayName: "Ada Lovelace" });
  expect((await admin.put("/api/admin/settings/smtp", mails.settings)).status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await mails?.close();
});

/** Where a mail leads, at the port that this service really has. */
async function follow(path: string): Promise<string> {
  const received = await mails.next();
  expect(received.tls).toBe(true);
  const { pathname, hash } = new URL(linkOf(received, path).url);
  return `${world.service.address}${pathname}${hash}`;
}

test("an invited person follows the link, creates an account and is in the room", async () => {
  const room = await world.room("engines", admin);
  await admin.post(`/api/rooms/${room}/messages`, { content: "Welcome, all." });
  await admin.post("/api/admin/invites", {
    email: "grace.hopper@example.org",
    room_ids: [room],
  });
  const link = await follow("/signup");
  const { page } = await newPage(browser, PHONE);
  await page.goto(link);
  await page.getByText("Invited as grace.hopper@example.org.").waitFor();
  expect(await page.getByLabel("Username").inputValue()).toBe("grace.hopper");
  await page.screenshot({ path: join(SHOTS, "signup-phone.png") });
  // What is wrong is said below its field, and not in a bubble of the browser.
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await page
    .getByRole("alert")
    .getByText(/^At least \d+ characters/)
    .waitFor();
  await page.locator("input[type=password][aria-invalid]:focus").waitFor();
  await page.getByRole("button", { name: /^Show/ }).click();
  await page.locator("input[type=text][aria-invalid]").waitFor();
  await page.getByLabel("Password").fill("qwertyuiop");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText(/too easy to guess/).waitFor();
  await page.getByLabel("Password").fill("moths in relay 70");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Welcome, all.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/rooms/engines");
  await page.goto(link);
  await page.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "dead-link-phone.png") });
});

test("a long name, address or room does not widen a mail", async () => {
  const { page } = await newPage(browser, PHONE);
  const long = "x".repeat(120);
  const link = `https://chat.example.org/signup#token=${long}`;
  const to = { name: "Ada", address: "ada@example.org" };
  const texts = { site: long, room: long, description: long, adder: long };
  for (const { html } of [
    renderInviteMail({ to: to.address, site: long, inviter: long, link }),
    renderResetMail({ to, site: long, username: long, link }),
    renderAddedMail({ to, ...texts, link, unsubscribe: link }),
  ]) {
    await page.setContent(html);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  }
});

test("a forgotten password is reset by email, and the old session ends", async () => {
  const alan = await world.person("alan", { displayName: "Alan Turing" });
  await world.room("tea", alan, [], "open");
  const old = await signedInPage(browser, alan, "/");
  await old.page.getByRole("button", { name: /^You,/ }).waitFor();

  const { page } = await newPage(browser, WIDE);
  await page.goto(world.service.address);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill("Alan@example.org");
  await page.screenshot({ path: join(SHOTS, "forgot-wide.png") });
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "forgot-sent-wide.png") });
  const link = await follow("/reset-password");
  await page.goto(link);
  await page.getByText("For @alan.").waitFor();
  await page.screenshot({ path: join(SHOTS, "reset-wide.png") });
  await page.getByLabel("New password").fill("an enigma no more");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("heading", { name: "Password changed" }).waitFor();
  await old.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Username or email").fill("alan");
  await page.getByLabel("Password").fill("an enigma no more");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "tea" }).waitFor();
});
