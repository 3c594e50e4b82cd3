import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { demoteUser } from "../../src/accounts/administer.ts";
import { launchBrowser, PHONE, readCut, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { codeOf, expireReauthentication, turnOnTotp, untilStepLasts } from "../support/factors.ts";
import { PASSWORD, World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let address: string;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  // Authenticators know a site by its host, which cannot be an address of IP.
  address = world.service.address.replace("127.0.0.1", "localhost");
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  await world.room("general", ada);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (client: Client | null, path: string, options = WIDE) =>
  signedInPage(browser, { base: address, cookie: client?.cookie ?? null }, path, options);

/** An authenticator of the page that keeps passkeys and verifies its user (CDP, domain WebAuthn). */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options });
  const setVerified = (isUserVerified: boolean) =>
    session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  return { setVerified };
}

const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(SHOTS, `security-${name}.png`) });

async function typePassword(page: Page, name: string) {
  await page.getByLabel("Username or email").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const inRoom = (page: Page) => page.getByRole("link", { name: "general" }).first().waitFor();

test("an app is set up, asked for at the next sign-in, and a lost phone leaves the recovery codes", async () => {
  const { page, context } = await open(ada, "/profile/security");
  await page.getByText("Off. A second factor protects").waitFor();
  await picture(page, "off");
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up your authenticator app" });
  await dialog.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  await picture(page, "app");
  const secret = (await dialog.getByLabel("Or type this key").inputValue()).replaceAll(" ", "");
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByText("That code is not right").waitFor();
  await untilStepLasts();
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret, -1));
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  const text = await codes.getByLabel("Your codes").inputValue();
  const [first = "", second = "", third = ""] = text.split("\n");
  expect(text.split("\n")).toHaveLength(10);
  await picture(page, "codes");
  // Closing asks, since nothing is on yet.
  await page.keyboard.press("Escape");
  await codes.getByText("The second factor is not on yet").waitFor();
  await codes.getByLabel("Type one of them").fill(first);
  await codes.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("On: after your password, you are asked for a code of your app.").waitFor();
  await page.getByText("10 codes are left").waitFor();
  await picture(page, "on");
  await context.close();

  const phone = await open(null, "/", PHONE);
  await typePassword(phone.page, "ada");
  await phone.page.getByRole("heading", { name: "One more step" }).waitFor();
  const code = phone.page.getByLabel("Code", { exact: true });
  await code.and(phone.page.locator(":focus")).waitFor();
  expect(await code.getAttribute("inputmode")).toBe("numeric");
  expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
  await picture(phone.page, "second-step-phone");
  // The code sends itself with its last digit.
  await phone.page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await phone.page.getByRole("heading", { name: "One more step" }).waitFor({ state: "detached" });
  await phone.context.close();

  const again = await open(null, "/");
  await typePassword(again.page, "ada");
  await again.page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
  await inRoom(again.page);
  await again.context.close();

  const lost = await open(null, "/", PHONE);
  await typePassword(lost.page, "ada");
  await lost.page.getByRole("button", { name: "Use a recovery code" }).click();
  await lost.page.getByLabel("Recovery code").fill(third);
  await lost.page.getByRole("button", { name: "Sign in" }).click();
  await lost.page.getByRole("heading", { name: "One more step" }).waitFor({ state: "detached" });
  await lost.context.close();

  const other = await open(null, "/");
  await typePassword(other.page, "ada");
  await other.page.getByRole("button", { name: "Use a recovery code" }).click();
  await other.page.getByLabel("Recovery code").fill(second);
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await inRoom(other.page);
  await other.page.goto(`${address}/profile/security`);
  await other.page.getByText("8 codes are left").waitFor();
});

test("a passkey is added, signs in by itself, and is removed", async () => {
  const grace = await world.person("grace");
  const { page, context } = await open(grace, "/profile/security");
  const { setVerified } = await addAuthenticator(context, page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  const [first = ""] = (await codes.getByLabel("Your codes").inputValue()).split("\n");
  await codes.getByLabel("Type one of them").fill(first);
  await codes.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("On: after your password, you are asked for your passkey.").waitFor();
  await page.getByRole("list", { name: "Passkeys" }).waitFor();
  await picture(page, "passkey");

  await page.goto(`${address}/profile/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await setVerified(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("No passkey was used.").waitFor();
  await picture(page, "sign-in");
  await setVerified(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Your profile" }).waitFor();

  // The field of the name offers it, and this authenticator takes the offer at once.
  await page.goto(`${address}/profile/account`);
  const offered = page.waitForResponse(
    (answer) => answer.url().endsWith("/api/auth/passkey") && answer.ok(),
  );
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await offered;
  await page.getByRole("heading", { name: "Your profile" }).waitFor();

  // After a password it is the second step. Until then its user is not verified, so nothing is taken.
  await setVerified(false);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await typePassword(page, "grace");
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  await setVerified(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Your profile" }).waitFor();

  await page.goto(`${address}/profile/security`);
  await expireReauthentication(world, grace);
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page
    .getByRole("dialog", { name: /^Remove/ })
    .getByRole("button", { name: "Remove" })
    .click();
  const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
  await proof.waitFor();
  await picture(page, "proof");
  await proof.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("Off. A second factor protects").waitFor();
});

test("an administrator confirms a change with a factor, and the page goes on", async () => {
  const root = await world.person("root", { isSiteAdmin: true });
  await world.person("joan", { displayName: "Joan Clarke" });
  const { secret } = await turnOnTotp(root);
  await expireReauthentication(world, root);
  const { page } = await open(root, "/admin/people");
  await page.getByRole("button", { name: "Actions for Joan Clarke" }).click();
  await page.getByRole("menuitem", { name: "Make administrator" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
  await proof.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await proof.waitFor({ state: "detached" });
  await page.getByText("Joan Clarke is now an administrator").first().waitFor();
  expect((await root.get("/api/admin/users?query=joan")).body.items).toMatchObject([
    { is_site_admin: true },
  ]);
  await expireReauthentication(world, root);
  await page.getByRole("button", { name: "Actions for Joan Clarke" }).click();
  await page.getByRole("menuitem", { name: "Reset password" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /password/i })
    .last()
    .click();
  await proof.waitFor();
  expect(await proof.getByRole("button", { name: "Use your password" }).count()).toBe(0);
  await proof.getByRole("button", { name: "Use a recovery code" }).waitFor();
  await world.administer("joan", demoteUser);
});

test("of all sessions, the one of this browser comes first", async () => {
  const radia = await world.person("radia");
  const credentials = { username: "radia", password: PASSWORD };
  const { status } = await world.anonymous.call("POST", "/api/auth/login", credentials);
  expect(status).toBe(200);
  const { page } = await open(radia, "/profile/security");
  const sessions = page.getByRole("listitem").filter({ hasText: /active/i });
  await sessions.nth(1).waitFor();
  await sessions.first().getByText("This browser").waitFor();
  await sessions.first().getByText("Active now").waitFor();
});

test("a passkey's name that is too long is cut at its end, in either direction", async () => {
  const edith = await world.person("edith");
  const names = ["a key that is mine ".repeat(4).trim(), "مفتاح حاسوبي المحمول ".repeat(4).trim()];
  for (const name of names) {
    await world.database.sql`insert into passkeys (id, user_id, credential_id, public_key,
        sign_count, transports, aaguid, rp_id, name, is_synced)
      values (${Bun.randomUUIDv7()}, ${edith.user.id}, ${name}, 'x', 0, '{}', '', 'x', ${name}, false)`;
  }
  const { page } = await open(edith, "/profile/security", PHONE);
  for (const name of names) {
    expect(await readCut(page.getByText(name))).toEqual({ showsFirst: true, showsLast: false });
  }
});

test("someone without a factor is reminded of the day from which it is required", async () => {
  const margaret = await world.person("margaret", { isSiteAdmin: true });
  await ada.put("/api/admin/settings/sign-in", { second_factor: "administrators" });
  const { page } = await open(margaret, "/");
  const reminder = page.getByRole("status").filter({ hasText: "Your team requires" });
  // In a week.
  await reminder.getByText(/ from (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day on\.$/).waitFor();
  await page.getByRole("link", { name: "Set it up" }).click();
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
  await picture(page, "reminder");
  await ada.put("/api/admin/settings/sign-in", { second_factor: "optional" });
});

test("where the team requires a factor, nothing else opens until it is on", async () => {
  const linus = await world.person("linus");
  await world.database
    .sql`update sessions set is_restricted = true where user_id = ${linus.user.id}`;
  const { page } = await open(linus, "/", PHONE);
  await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
  await picture(page, "restricted-phone");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
});

test("administrators set the policy, and reset the factor of someone who lost it", async () => {
  const { page } = await open(ada, "/admin/signin");
  const hedy = await world.person("hedy");
  await turnOnTotp(hedy);
  await page.getByLabel("Who must have one").selectOption("Administrators");
  await page.getByText(/In force since today/).waitFor();
  await page.getByText("1 person still needs to set one up.").waitFor();
  await picture(page, "admin");
  await page
    .getByRole("main")
    .getByRole("navigation")
    .getByRole("link", { name: "People" })
    .click();
  await page.getByRole("button", { name: "Actions for hedy" }).click();
  await page.getByRole("menuitem", { name: "Reset second factor" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset second factor" }).click();
  await page.getByText("The second factor of hedy was reset").waitFor();
  expect((await hedy.get("/api/auth/me")).status).toBe(401);
  await page.getByRole("button", { name: "Actions for Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Keep password for emergencies" }).click();
  await page.getByText("keeps password").waitFor();
});
