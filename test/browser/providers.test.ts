import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, PHONE, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { codeOf, expireReauthentication, turnOnTotp } from "../support/factors.ts";
import { findFreePort } from "../support/ports.ts";
import { RealIdp } from "../support/real-idp.ts";
import { PASSWORD, World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let idp: RealIdp;
let address: string;
let ada: Client;
beforeAll(async () => {
  // The provider leads back to an address that it knows before.
  const port = String(findFreePort());
  address = `http://localhost:${port}`;
  const settings = { PORT: port, BASE_URL: address, EGRESS_ALLOW: "localhost,127.0.0.1" };
  [world, browser, idp] = await Promise.all([
    World.start(settings),
    launchBrowser(),
    RealIdp.start(`${address}/api/auth/oidc/real/callback`),
  ]);
  ada = await world.person("ada", { isSiteAdmin: true });
  await world.room("general", ada);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await idp?.stop();
});

const open = (client: Client | null, path: string, options = WIDE) =>
  signedInPage(browser, { base: address, cookie: client?.cookie ?? null }, path, options);

const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(SHOTS, `providers-${name}.png`) });

/** Signs in on the provider's own pages. */
async function signInThere(page: Page, login: string) {
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill("anything");
  await page.locator('button[type="submit"]').click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("an administrator adds a provider, tests it, and people sign in with it", async () => {
  const { page, context } = await open(ada, "/admin/signin");
  await page.getByText("No providers yet").waitFor();
  await page.getByRole("button", { name: "Add a provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await dialog.getByLabel("Name", { exact: true }).fill("Real");
  await dialog.getByLabel("Short name").fill("real");
  await dialog.getByLabel("Issuer").fill(idp.settings.issuer);
  await dialog.getByLabel("Client ID").fill(idp.settings.client_id);
  await dialog.getByLabel("Client secret").fill(idp.settings.client_secret);
  await dialog.getByRole("switch", { name: "Let new people sign up" }).check();
  await picture(page, "form");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Real saved").waitFor();
  await page.getByRole("button", { name: "Actions for Real" }).click();
  await page.getByRole("menuitem", { name: "Test" }).click();
  const result = page.getByRole("dialog", { name: "Test of Real" });
  await result.getByText("Everything works.").waitFor();
  await picture(page, "test");
  await result.getByRole("button", { name: "Done" }).click();
  await context.close();

  const phone = await open(null, "/rooms/general", PHONE);
  await phone.page.getByRole("link", { name: "Continue with Real" }).waitFor();
  await picture(phone.page, "sign-in-phone");
  await phone.page.getByRole("link", { name: "Continue with Real" }).click();
  await signInThere(phone.page, "grace");
  await phone.page.waitForURL(`${address}/rooms/general`);
  await phone.page.goto(`${address}/profile/security`);
  await phone.page.getByRole("heading", { name: "Connected accounts" }).waitFor();
  await picture(phone.page, "connected-phone");
});

test("an account is connected after a proof, and a provider that is the only way leads straight on", async () => {
  const hedy = await world.person("hedy");
  const { page, context } = await open(hedy, "/profile/security");
  await expireReauthentication(world, hedy);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
  await proof.getByLabel("Password").waitFor();
  await picture(page, "proof");
  await proof.getByLabel("Password").fill("a wrong one, surely");
  await proof.getByRole("button", { name: "Confirm" }).click();
  await proof.getByRole("alert").waitFor();
  await proof.getByLabel("Password").fill(PASSWORD);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await signInThere(page, "hedy-there");
  await page.waitForURL(`${address}/profile/security`);
  await page.getByRole("button", { name: "Disconnect" }).waitFor();

  // Signing in with it asks for the second factor, and then leads back.
  const { secret } = await turnOnTotp(hedy);
  await page.goto(`${address}/profile/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("link", { name: "Continue with Real" }).click();
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  // What was wrong with the code is not said of the next way.
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.getByLabel("Recovery code").and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Use your authenticator app" }).click();
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.getByRole("heading", { name: "Your profile" }).waitFor();
  await context.close();

  const { link } = (await ada.post("/api/admin/invite-links")).body;
  await world.database.sql`update identity_providers set is_exclusive = true, allow_signup = false`;
  const { page: other, context: elsewhere } = await open(null, "/");
  // The provider does not know this browser yet.
  await other.waitForURL(`${idp.issuer}/**`);
  await other.goto(`${address}/signin?password=1`);
  await other.getByLabel("Username or email").waitFor();
  // A link for several people leads there, too.
  await other.goto(link);
  await other.getByText("Your account is made when you sign in").waitFor();
  await picture(other, "sign-up");
  await other.getByRole("button", { name: "Continue with Real" }).click();
  await signInThere(other, "katherine");
  await other.waitForURL(`${address}/`);
  await other.getByText("Real Person").first().waitFor();
  await elsewhere.close();
});

test("an administrator reads which issuer to set", async () => {
  const { Idp } = await import("../support/idp.ts");
  const other = await Idp.start();
  const named = `${other.issuer}/application/o/snug/`;
  other.faults = { metadata: { issuer: named } };
  const looks = { "wide-light": WIDE, "phone-dark": { ...PHONE, colorScheme: "dark" as const } };
  for (const [look, options] of Object.entries(looks)) {
    const { page, context } = await open(ada, "/admin/signin", options);
    await page.getByRole("button", { name: "Add a provider" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    await dialog.getByLabel("Name", { exact: true }).fill("Authentik");
    await dialog.getByLabel("Short name").fill(look);
    await dialog.getByLabel("Issuer").fill(named.slice(0, -1));
    await dialog.getByLabel("Client ID").fill("snug");
    await dialog.getByRole("button", { name: "Save" }).click();
    // The test that follows the saving says it.
    const result = page.getByRole("dialog", { name: "Test of Authentik" });
    expect(await result.getByLabel("Set this as the issuer").inputValue()).toBe(named);
    await result.getByRole("button", { name: "Copy" }).waitFor();
    await picture(page, `issuer-${look}`);
    await context.close();
  }
  await other.stop();
});
