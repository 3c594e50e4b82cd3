import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import { launchBrowser, newPage, signIn } from "../support/browser.ts";
import { World } from "../support/world.ts";

/** Passkeys as Chromium makes and uses them, with its virtual authenticator. */

let world: World;
let browser: Browser;
let page: Page;
let cdp: CDPSession;
let origin: string;
let authenticatorId: string;
beforeAll(async () => {
  world = await World.start();
  origin = world.service.address.replace("127.0.0.1", "localhost");
  browser = await launchBrowser();
  ({ page } = await newPage(browser));
  cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  ({ authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }));
  await page.goto(`${origin}/api/docs`);
});
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** Calls the service from the page. */
const call = (method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(path as string, {
        method: method as string,
        headers: body ? { "content-type": "application/json" } : {},
        body: body ? JSON.stringify(body) : undefined,
      });
      const text = await answer.text();
      return { status: answer.status, body: text ? JSON.parse(text) : null };
    },
    [method, path, body] as const,
  );
/** Asks the authenticator. @returns its answer, or the name of the error */
const use = (kind: "create" | "get", options: unknown) =>
  page.evaluate(
    async ([kind, options]) => {
      const json = options as never;
      try {
        const made =
          kind === "create"
            ? await navigator.credentials.create({
                publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json),
              })
            : await navigator.credentials.get({
                publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json),
              });
        return (made as PublicKeyCredential).toJSON();
      } catch (error) {
        return (error as Error).name;
      }
    },
    [kind, options] as const,
  );

test("a passkey is made and signs in alone, unless its user is not verified", async () => {
  const person = await world.person("lovelace");
  await signIn(page.context(), { base: origin, cookie: person.cookie });
  const { body: creation } = await call("POST", "/api/auth/me/passkeys/options");
  const passkey = await use("create", creation);
  const response = await call("POST", "/api/auth/me/passkeys", { name: "Laptop", passkey });
  expect([response.status, response.body.name]).toEqual([201, "Laptop"]);
  const recovery_code = response.body.recovery_codes[0];
  await call("POST", "/api/auth/me/recovery-codes/saved", { recovery_code });
  // The same authenticator makes no second one.
  const { body: again } = await call("POST", "/api/auth/me/passkeys/options");
  expect(await use("create", again)).toBe("InvalidStateError");

  await call("POST", "/api/auth/logout");
  const { body: options } = await call("POST", "/api/auth/passkey/options");
  const signedIn = await call("POST", "/api/auth/passkey", { passkey: await use("get", options) });
  expect(signedIn).toMatchObject({ status: 200, body: { username: "lovelace" } });
  expect((await call("GET", "/api/auth/session")).body.user.username).toBe("lovelace");

  await call("POST", "/api/auth/logout");
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  const { body: strict } = await call("POST", "/api/auth/passkey/options");
  expect(await use("get", strict)).toBe("NotAllowedError");
  // A page that asks for less gets an answer, which the service refuses.
  const loose = await use("get", { ...strict, userVerification: "discouraged" });
  const result = await call("POST", "/api/auth/passkey", { passkey: loose });
  expect(result).toMatchObject({ status: 401, body: { code: "invalid_passkey" } });
  // As a second factor after the password it is enough.
  const login = { username: "lovelace", password: "correct horse battery" };
  expect((await call("POST", "/api/auth/login", login)).status).toBe(202);
  const { body: second } = await call("POST", "/api/auth/passkey/options");
  const unverified = { ...second, userVerification: "discouraged" };
  const answer = { passkey: await use("get", unverified) };
  expect((await call("POST", "/api/auth/login/second", answer)).status).toBe(200);
});
