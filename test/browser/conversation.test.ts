import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  act,
  chooseOwn,
  launchBrowser,
  messageText,
  newPage,
  PHONE,
  WIDE,
} from "../support/browser.ts";
import { freshDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

const PASSWORD = "correct horse battery";
/** How long a deletion can be undone, a lost connection is not spoken of, and the longest wait for one. */
const UNDO_MS = 5_500;
const BANNER_MS = 2_500;
const LONGEST_WAIT_MS = 30_000;
/** What leads a new team's first administrator, and the button that leaves each step as it is. */
const FIRST_STEPS = [
  { heading: "What is your team called?", leave: "Skip" },
  { heading: "Add a picture of yourself", leave: "Skip" },
  { heading: "Create the first room", leave: "Skip" },
  { heading: "Invite your team", leave: "Finish" },
];
const onlyText = (page: Page, text: string) =>
  page.getByRole("log").getByText(text, { exact: true });
const composer = (page: Page, room: string) =>
  page.getByRole("textbox", { name: `Message #${room}` });

async function say(page: Page, room: string, text: string): Promise<void> {
  await composer(page, room).fill(text);
  await composer(page, room).press("Enter");
}

async function signIn(page: Page, address: string, username: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Username or email").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("two people in two browsers", () => {
  let browser: Browser;
  let env: Record<string, string>;
  let first: Running;
  let second: Running;
  beforeAll(async () => {
    env = { DATABASE_URL: urlOf(await freshDatabase()) };
    [browser, first] = await Promise.all([launchBrowser(), Running.start(env)]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([first?.stop(), second?.stop()]);
  });

  test("chat live over two instances, a kill and a restart, and lose no message", async () => {
    const ada = await newPage(browser, WIDE);
    const bob = await newPage(browser, PHONE);
    // What waits for a while, to be undone or to try again, waits as long as the test says.
    for (const { page } of [ada, bob]) await page.clock.install();

    // The first administrator comes by the printed link.
    await ada.page.goto(first.signupLink);
    await ada.page.getByLabel("Email").fill("ada@example.org");
    await ada.page.getByLabel("Username").fill("ada");
    await ada.page.getByLabel("Display name").fill("Ada Lovelace");
    await ada.page.getByLabel("Password").fill(PASSWORD);
    await ada.page.screenshot({ path: join(SHOTS, "signup-wide.png") });
    await ada.page.getByRole("button", { name: "Create account" }).click();
    // The form that had the focus is gone: the screen that replaces it takes it.
    const firstStep = ada.page.getByRole("heading", { name: FIRST_STEPS[0]?.heading });
    await ada.page.locator("main:focus-within").filter({ has: firstStep }).waitFor();
    // The first steps can wait: she skips each, and makes the room herself.
    for (const step of FIRST_STEPS) {
      await ada.page.getByRole("heading", { name: step.heading }).waitFor();
      await ada.page.getByRole("button", { name: step.leave, exact: true }).click();
    }
    await ada.page.getByRole("heading", { name: "No rooms yet" }).waitFor();
    await ada.page.screenshot({ path: join(SHOTS, "no-rooms-wide.png") });

    // The second by a command beside the running service.
    await Running.cli(
      [
        "user",
        "create",
        "bob",
        "--email",
        "bob@example.org",
        "--display-name",
        "Bob Noyce",
        "--password-stdin",
      ],
      env,
      PASSWORD,
    );

    await ada.page.getByRole("main").getByRole("button", { name: "Create a room" }).click();
    await ada.page.getByRole("textbox", { name: "Name" }).fill("Snug Talk");
    await ada.page.getByRole("button", { name: "Create room" }).click();
    await composer(ada.page, "snug-talk").waitFor();

    second = await Running.start(env);
    // Bob is on the other instance, on a phone; he browses and joins.
    await signIn(bob.page, second.address, "bob");
    await bob.page.getByRole("link", { name: "Browse rooms" }).click();
    await bob.page.getByRole("button", { name: "Join snug-talk" }).click();
    await composer(bob.page, "snug-talk").waitFor();
    await ada.page.getByRole("button", { name: /^Members/ }).click();
    await ada.page.getByRole("complementary", { name: "Members" }).getByText("Bob Noyce").waitFor();
    await ada.page.keyboard.press("Escape");

    await say(ada.page, "snug-talk", "Come in, the fire is lit");
    await onlyText(bob.page, "Come in, the fire is lit").waitFor();
    // On a phone Enter breaks the line and the button sends.
    await composer(bob.page, "snug-talk").fill("Two lines\nfrom a phone");
    await bob.page.getByRole("button", { name: "Send", exact: true }).click();
    await ada.page
      .getByRole("log")
      .getByText(/^Two lines.*from a phone$/)
      .waitFor();

    // Edit with Up, delete with undo and without.
    await composer(ada.page, "snug-talk").press("ArrowUp");
    await ada.page.getByRole("textbox", { name: "Edit message" }).fill("Come in, the fire is warm");
    await ada.page.keyboard.press("Enter");
    await bob.page.getByText("Come in, the fire is warm").waitFor();
    await say(ada.page, "snug-talk", "A slip of the tongue");
    await onlyText(bob.page, "A slip of the tongue").waitFor();
    const slip = ada.page.locator("[data-message-id]", { hasText: "A slip of the tongue" });
    await act(slip, "Delete message");
    await ada.page.getByRole("button", { name: "Undo" }).click();
    await slip.waitFor();
    await act(slip, "Delete message");
    await slip.waitFor({ state: "detached" });
    await ada.page.clock.runFor(UNDO_MS);
    await onlyText(bob.page, "A slip of the tongue").waitFor({ state: "detached" });
    await ada.page.screenshot({ path: join(SHOTS, "room-wide.png") });
    await bob.page.screenshot({ path: join(SHOTS, "room-phone.png") });

    // A new name under Bob's eyes leads him along.
    await ada.page.getByRole("button", { name: "Room settings" }).click();
    await ada.page.getByRole("textbox", { name: "Name" }).fill("fireside");
    await ada.page.getByRole("button", { name: "Save", exact: true }).click();
    await composer(ada.page, "fireside").waitFor();
    await composer(bob.page, "fireside").waitFor();
    expect(new URL(bob.page.url()).pathname).toBe("/rooms/fireside");

    // Ada's instance is killed in the middle of the conversation.
    const port = first.port;
    await first.kill();
    await bob.page.getByRole("log").waitFor();
    await say(ada.page, "fireside", "Written while nobody listens");
    await composer(bob.page, "fireside").fill("Are you there?");
    await bob.page.getByRole("button", { name: "Send", exact: true }).click();
    await ada.page.clock.runFor(BANNER_MS);
    await ada.page.getByText("Reconnecting").waitFor();
    await ada.page.screenshot({ path: join(SHOTS, "disconnected-wide.png") });
    first = await Running.start({ ...env, PORT: String(port) });
    await ada.page.clock.fastForward(LONGEST_WAIT_MS);
    await ada.page.getByText("Reconnecting").waitFor({ state: "detached" });
    await onlyText(ada.page, "Are you there?").waitFor();
    await onlyText(bob.page, "Written while nobody listens").waitFor();
    await ada.page.locator('[data-state="pending"]').first().waitFor({ state: "detached" });

    // After a reload both see the same, each once.
    await Promise.all([ada.page.reload(), bob.page.reload()]);
    const texts = async (page: Page) => {
      await onlyText(page, "Written while nobody listens").waitFor();
      return messageText(page.locator("[data-message-id]")).allInnerTexts();
    };
    const seen = await texts(ada.page);
    expect(seen).toEqual([
      "Come in, the fire is warm (edited)",
      "Two lines\nfrom a phone",
      "Are you there?",
      "Written while nobody listens",
    ]);
    expect(await texts(bob.page)).toEqual(seen);

    // Removed: Bob hears of it where he is.
    await ada.page.getByRole("button", { name: /^Members/ }).click();
    await ada.page.getByRole("button", { name: "Actions for Bob Noyce" }).click();
    await ada.page.getByRole("menuitem", { name: "Remove from room" }).click();
    await bob.page.getByRole("heading", { name: "You are not in #fireside" }).waitFor();
    await bob.page.screenshot({ path: join(SHOTS, "removed-phone.png") });

    // Signed out: the way back leads past the door.
    await chooseOwn(ada.page, "Your profile");
    await ada.page.screenshot({ path: join(SHOTS, "profile-wide.png") });
    await ada.page.getByRole("button", { name: "Sign out" }).last().click();
    await ada.page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
