import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Service } from "../../src/service.ts";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { launchBrowser, newPage, PHONE, signIn, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let other: Service;
let browser: Browser;
let [ada, grace, alan, vera] = [] as unknown as [Client, Client, Client, Client];
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  other = await world.secondInstance();
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  grace = await world.person("grace", { displayName: "Grace Hopper" });
  alan = await world.person("alan", { displayName: "Alan Turing" });
  vera = await world.person("vera", { displayName: "Vera Rubin" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function pageOf(person: Client, options: typeof WIDE): Promise<Page> {
  const { page, context } = await newPage(browser, options);
  await signIn(context, person);
  return page;
}

const writing = (page: Page, name: string) =>
  page.getByRole("textbox", { name: `Message ${name}` });
const heard = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true });
const row = (page: Page, name: string) =>
  page.getByRole("region", { name: "Direct messages" }).getByRole("link", { name });

describe("two people on two instances, one on a phone", () => {
  test("begin, hide and find a conversation, grow it, and make it a room", async () => {
    const wide = await pageOf(ada, WIDE);
    const phone = await pageOf(grace, PHONE);
    await phone.goto(`${other.address}/direct`);
    await phone.getByRole("heading", { name: "No direct messages yet" }).waitFor();
    await wide.goto(`${world.service.address}/direct`);
    await wide
      .getByRole("complementary")
      .locator('[aria-current="page"]', { hasText: "Direct messages" })
      .waitFor();

    // Looking creates nothing; the first message does.
    await wide.goto(world.service.address);
    await wide.getByRole("button", { name: /^New message/ }).waitFor();
    await wide.keyboard.press("Control+k");
    await wide.getByRole("combobox", { name: "Room, person or action" }).fill("grac");
    await wide.getByRole("option", { name: /Grace Hopper/ }).waitFor();
    await wide.keyboard.press("Enter");
    await writing(wide, "Grace Hopper").waitFor();
    expect((await grace.get("/api/direct?all=true")).body.items).toEqual([]);
    await writing(wide, "Grace Hopper").fill("Are you there?");
    await wide.keyboard.press("Enter");
    await heard(wide, "Are you there?").waitFor();

    const onPhone = phone.getByRole("main").getByRole("link", { name: /Ada Lovelace/ });
    await onPhone.getByText("1").waitFor();
    await onPhone.getByText("Are you there?", { exact: true }).waitFor();
    // Its keys mark it read and unread.
    await onPhone.press("e");
    await onPhone.getByText("1").waitFor({ state: "detached" });
    // One filter shows only what is unread.
    const filters = phone.getByRole("group", { name: "Direct messages" });
    await filters.getByRole("button", { name: "Unread" }).tap();
    await phone.getByRole("heading", { name: "You have read everything" }).waitFor();
    await filters.getByRole("button", { name: "All" }).tap();
    await onPhone.press("u");
    await onPhone.getByText("1").waitFor();
    await filters.getByRole("button", { name: "Unread" }).tap();
    await onPhone.click();
    await heard(phone, "Are you there?").waitFor();
    await writing(phone, "Ada Lovelace").fill("Always");
    await phone.getByRole("button", { name: "Send", exact: true }).click();
    await heard(wide, "Always").waitFor();

    // The Delete key hides it, and the next word brings it back.
    await row(wide, "Grace Hopper").focus();
    await wide.keyboard.press("Delete");
    await row(wide, "Grace Hopper").waitFor({ state: "detached" });
    await writing(phone, "Ada Lovelace").fill("Still here");
    await phone.getByRole("button", { name: "Send", exact: true }).click();
    await row(wide, "Grace Hopper").getByText("1").waitFor();
    expect(await wide.title()).toStartWith("(1)");
    // What is unread cannot be hidden.
    await row(wide, "Grace Hopper").click({ button: "right" });
    await wide.getByRole("menuitem", { name: "Mark as read" }).waitFor();
    expect(await wide.getByRole("menuitem", { name: "Hide until" }).count()).toBe(0);
    await wide.keyboard.press("Escape");

    // Two stay two: with a third a new conversation begins.
    await row(wide, "Grace Hopper").click();
    await heard(wide, "Still here").waitFor();
    await wide.getByRole("button", { name: "Add people" }).click();
    await wide.getByRole("combobox", { name: "Names of people" }).fill("alan");
    await wide.getByRole("option", { name: /Alan Turing/ }).click();
    await wide.getByRole("button", { name: "Start a new one" }).click();
    await writing(wide, "Alan Turing and Grace Hopper").fill("The three of us");
    await wide.keyboard.press("Enter");
    await heard(wide, "The three of us").waitFor();

    // One more sees all that was said, and that is said before.
    await wide.getByRole("button", { name: "Actions for this conversation" }).click();
    await wide.getByText("Add people", { exact: true }).click();
    await wide.getByRole("combobox", { name: "Names of people" }).fill("vera");
    await wide.getByRole("option", { name: /Vera Rubin/ }).click();
    await wide.getByText("Vera Rubin will see everything said here since").waitFor();
    await wide.getByRole("button", { name: "Add to this conversation" }).click();
    await wide.getByRole("textbox", { name: /^Message .*Vera Rubin/ }).waitFor();
    const { body: seen } = await vera.get("/api/direct");
    const { body: said } = await vera.get(`/api/rooms/${seen.items[0].id}/messages`);
    expect(said.items).toMatchObject([{ content: "The three of us" }]);

    await wide.getByRole("button", { name: "Actions for this conversation" }).click();
    await wide.getByText("Make it a room", { exact: true }).click();
    await wide.getByRole("textbox", { name: "Name" }).fill("the three");
    await wide.getByRole("button", { name: "Make it a room" }).click();
    await writing(wide, "#the-three").waitFor();
    await heard(wide, "The three of us").waitFor();
    const { body } = await alan.get("/api/rooms");
    expect(body.items).toMatchObject([{ name: "the-three", owner: { id: ada.user.id } }]);

    // Without the other account one still reads, and writes again when it is back.
    await row(wide, "Grace Hopper").click();
    await writing(wide, "Grace Hopper").waitFor();
    await world.administer("grace", deactivateUser);
    const closed = "Grace Hopper's account is deactivated. You can still read this.";
    await wide.getByText(closed).waitFor();
    await heard(wide, "Still here").waitFor();
    expect(await writing(wide, "Grace Hopper").count()).toBe(0);
    await world.administer("grace", reactivateUser);
    await writing(wide, "Grace Hopper").waitFor();
  });
});

test("a dialog that is opened before the first room is known stays open", async () => {
  await world.room("orchard", vera);
  const page = await pageOf(vera, WIDE);
  const { promise: opened, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/rooms?*", async (request) => {
    await opened;
    await request.continue();
  });
  await page.goto(world.service.address);
  await page.getByRole("button", { name: /^New message/ }).click();
  const dialog = page.getByRole("dialog", { name: "New message" });
  await dialog.waitFor();
  release();
  await page.waitForURL("**/rooms/*");
  await dialog.getByRole("option", { name: "Ada Lovelace" }).click();
  await dialog.getByRole("button", { name: "Remove Ada Lovelace" }).waitFor();
});

test("Enter chooses for what is typed, and not from the people who were shown before", async () => {
  const page = await pageOf(vera, WIDE);
  await page.goto(world.service.address);
  await page.getByRole("button", { name: /^New message/ }).waitFor();
  await page.getByRole("button", { name: /^New message/ }).click();
  const dialog = page.getByRole("dialog", { name: "New message" });
  await dialog.getByRole("option", { name: "Ada Lovelace" }).waitFor();
  // In two tasks: no response comes between the letters and Enter.
  await dialog.getByRole("combobox").evaluate(async (field: HTMLInputElement) => {
    field.value = "gra";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  await dialog.getByRole("button", { name: "Remove Grace Hopper" }).waitFor();
  expect(await dialog.getByRole("button", { name: /^Remove / }).count()).toBe(1);
});
