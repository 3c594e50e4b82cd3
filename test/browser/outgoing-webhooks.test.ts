import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { launchBrowser, type PageOptions, PHONE, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { Receiver } from "../support/receiver.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let receiver: Receiver;
let ada: Client;
let roomId: string;
beforeAll(async () => {
  receiver = new Receiver();
  [world, browser] = await Promise.all([
    World.start({ EGRESS_ALLOW: "127.0.0.1" }),
    launchBrowser(),
  ]);
  ada = await world.person("ada", {
    displayName: "Ada Lovelace",
    theme: "dark",
    followsSystem: false,
  });
  roomId = await world.room("engine", ada);
});
afterEach(() => {
  receiver.answer = () => new Response("ok");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await receiver?.stop();
});

async function openSettings(options: PageOptions, theme: string) {
  await ada.patch("/api/auth/me", { theme });
  const tab = await signedInPage(browser, ada, "/rooms/engine?panel=settings#webhooks", options);
  await tab.page.getByRole("heading", { name: "Outgoing webhooks" }).waitFor();
  const shot = (what: string) => tab.page.screenshot({ path: join(SHOTS, `webhooks-${what}.png`) });
  return { ...tab, shot };
}

test("a webhook is created, its secret copied, tested, inspected, paused, rotated and deleted", async () => {
  const { page, context, shot } = await openSettings(WIDE, "dark");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await shot("none-wide-dark");
  await page.getByRole("button", { name: "Add webhook" }).click();
  const adding = page.getByRole("dialog", { name: "Add webhook" });
  await adding.getByLabel("Name").fill("Build server");
  await adding.getByLabel("URL").fill("http://10.0.0.1/hook");
  await adding.getByRole("button", { name: "Add webhook" }).click();
  await adding.getByText(/private network/).waitFor();
  await shot("refused-wide-dark");
  await adding.getByLabel("URL").fill(receiver.at("/hook"));
  await adding.getByLabel("Reactions").check();
  await adding.getByRole("button", { name: "Add webhook" }).click();
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Copied" }).waitFor();
  await shot("secret-wide-dark");
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await shown.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: /Build server/ }).click();
  const hook = page.getByRole("dialog", { name: "Build server" });
  await hook.getByText("New messages, Reactions").waitFor();
  await hook.getByRole("button", { name: "Send test" }).click();
  await hook.getByText("Delivered, 200").waitFor();
  const [tried] = await receiver.until("/hook", 1);
  expect(new Webhook(secret).verify(tried?.text ?? "", tried?.headers ?? {})).toBeDefined();

  // What happens while one looks is seen without a reload.
  receiver.answer = () => new Response("the disk is full", { status: 503 });
  await ada.say(roomId, "Difference engine");
  await hook.getByText("Waiting for a retry, 503").waitFor();
  await hook.getByText("message.created").click();
  await hook.getByText("the disk is full").waitFor();
  await hook.getByText('"content": "Difference engine"').waitFor();
  await shot("failing-wide-dark");
  receiver.answer = () => new Response("thanks");
  await hook.getByRole("button", { name: "Resend" }).click();
  await hook.getByText("thanks").waitFor();
  expect(receiver.to("/hook").at(-1)?.id).toBe(receiver.to("/hook").at(-2)?.id);

  await hook.getByRole("button", { name: "Pause" }).click();
  await hook.getByRole("button", { name: "Resume" }).click();
  await hook.getByRole("button", { name: "Pause" }).waitFor();
  await hook.getByRole("button", { name: "Edit" }).click();
  const editing = page.getByRole("dialog", { name: "Edit webhook" });
  await editing.getByLabel("Name").fill("Builds");
  await editing.getByRole("button", { name: "Save" }).click();
  const renamed = page.getByRole("dialog", { name: "Builds", exact: true });
  await renamed.getByRole("button", { name: "Rotate secret" }).click();
  await page
    .getByRole("dialog", { name: "Rotate the secret?" })
    .getByRole("button", { name: "Rotate secret" })
    .click();
  await page.getByRole("dialog", { name: "New signing secret" }).getByLabel("Secret").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Close anyway" }).click();
  await renamed.getByText(/The old secret also signs until tomorrow/).waitFor();
  await renamed.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await renamed.waitFor({ state: "detached" });
  await page.getByText("Send this room's events to another program.").waitFor();
});

test("a webhook that its receiver turned off says why and is resumed; members see no webhooks", async () => {
  const base = `/api/rooms/${roomId}/outgoing-webhooks`;
  const events = ["message.created"];
  for (const path of ["/a", "/b"]) {
    await ada.post(base, { name: `To ${path}`, url: receiver.at(path), events });
  }
  receiver.answer = ({ path }) => new Response("gone", { status: path === "/a" ? 410 : 200 });
  for (let n = 0; n < 25; n += 1) await ada.say(roomId, `Message ${n}`);
  await receiver.until("/b", 25);
  const { page, context, shot } = await openSettings(PHONE, "light");
  await page.getByText(/Turned off\. It answered 410/).waitFor();
  await shot("list-phone-light");
  await page.getByRole("button", { name: /To \/b/ }).click();
  const sound = page.getByRole("dialog", { name: "To /b" });
  await sound.getByRole("button", { name: "Show older" }).click();
  await sound.getByText("Delivered, 200").nth(24).waitFor();
  await sound.getByText("message.created").first().click();
  await sound.getByText('"content": "Message 24"').waitFor();
  await shot("log-phone-light");
  await sound.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /To \/a/ }).click();
  const ended = page.getByRole("dialog", { name: "To /a" });
  await ended.getByRole("button", { name: "Resume" }).click();
  await ended.getByRole("button", { name: "Pause" }).waitFor();
  await ended.getByText(/Turned off/).waitFor({ state: "detached" });
  await shot("resumed-phone-light");
  await context.close();

  const dark = await openSettings(PHONE, "dark");
  await dark.page.getByRole("button", { name: "Add webhook" }).click();
  await dark.shot("add-phone-dark");
  await dark.context.close();
  const light = await openSettings(WIDE, "light");
  await light.page.getByRole("button", { name: /To \/b/ }).click();
  await light.page.getByText("Delivered, 200").first().waitFor();
  await light.shot("log-wide-light");
  await light.context.close();

  const bob = await world.person("bob");
  await ada.post(`/api/rooms/${roomId}/members`, { username: "bob" });
  const member = await signedInPage(browser, bob, "/rooms/engine");
  await member.page.getByRole("button", { name: "Room settings" }).click();
  await member.page.getByRole("button", { name: "Leave room" }).waitFor();
  expect(await member.page.getByText("Outgoing webhooks").count()).toBe(0);
});
