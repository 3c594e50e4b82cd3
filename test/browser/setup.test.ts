import { expect, setDefaultTimeout, test } from "bun:test";
import { launchBrowser, messageRow, newPage, signedInPage, WIDE } from "../support/browser.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

test("the setup opens for a team that nobody uses yet, and only for that", async () => {
  const [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  await world.database.sql`update team_settings set setup_step = 3`;
  const ada = await world.person("ada", { isSiteAdmin: true });
  const room = await world.room("general", ada);
  const { page } = await signedInPage(browser, ada, "/");
  await page.getByRole("heading", { name: "Invite your team" }).waitFor();

  await page.getByRole("link", { name: "general" }).click();
  await page.waitForURL("**/rooms/general");
  await ada.post(`/api/rooms/${room}/messages`, { content: "Is anyone here?" });
  // This page knows the team as it was before.
  await page.evaluate(() => {
    history.pushState({}, "", "/");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await page.waitForURL("**/rooms/general");
  await page.goto(world.service.address);
  await messageRow(page, "Is anyone here?").waitFor();
  expect(new URL(page.url()).pathname).toBe("/rooms/general");
  await browser.close();
  await world.stop();
});

test("each step of the setup has its field in focus, and the last one a link to share", async () => {
  const [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  await world.database.sql`update team_settings set setup_step = 0`;
  const ada = await world.person("ada", { isSiteAdmin: true });
  const { page } = await signedInPage(browser, ada, "/");
  const focusIsOn = (label: string) =>
    page.waitForFunction((text) => {
      const field = document.activeElement;
      return field instanceof HTMLInputElement && field.labels?.[0]?.textContent?.includes(text);
    }, label);
  await focusIsOn("Name of your team");
  // The sidebar shows its links only to those who go there.
  const opacity = () =>
    page.getByRole("navigation", { name: "Rooms" }).evaluate((nav) => {
      const frame = nav.parentElement as HTMLElement;
      return getComputedStyle(frame).opacity;
    });
  await page.mouse.move(700, 400);
  expect(await opacity()).toBe("0");
  await page.mouse.move(100, 300);
  expect(await opacity()).toBe("1");
  await page.keyboard.type("Analytical Engines");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Add a picture of yourself" }).waitFor();
  // Back and the way on are in one row.
  const tops = await page
    .getByRole("main")
    .getByRole("button", { name: /^(Back|Skip)$/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
  expect(tops).toHaveLength(2);
  expect(new Set(tops).size).toBe(1);
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await focusIsOn("Name of the room");
  // What is typed replaces the suggested name.
  await page.keyboard.type("general");
  await page.keyboard.press("Enter");
  const link = page.getByRole("textbox", { name: "Invite link for the team" });
  await link.waitFor();
  const address = await link.inputValue();
  await page.waitForFunction(() => document.activeElement?.textContent === "Invite your team");
  // Nothing is created again when the step is shown again.
  await page.reload();
  await link.waitFor();
  expect(await link.inputValue()).toBe(address);
  const visitor = await newPage(browser, WIDE);
  await visitor.page.goto(world.service.address + address.slice(new URL(address).origin.length));
  await visitor.page.getByRole("heading", { name: "Welcome to Analytical Engines" }).waitFor();
  await page.getByRole("button", { name: "Finish" }).click();
  await page.waitForURL("**/rooms/general");

  // The empty room says what to begin with, until something is written.
  await page.getByRole("button", { name: "Add a topic" }).click();
  const settings = page.getByRole("complementary", { name: "Settings" });
  await settings.getByLabel("Topic").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("[role=tab]"));
  await page.keyboard.press("Escape");
  await settings.waitFor({ state: "detached" });
  const log = page.getByRole("log");
  await log.getByRole("button", { name: "Add a member" }).click();
  const add = page.getByRole("dialog", { name: "Add to #general" });
  // Nobody is offered who is there already, and who is alone invites others.
  await add.getByText("member", { exact: true }).waitFor();
  expect(await add.getByRole("button", { name: /^Add/ }).count()).toBe(0);
  await add.getByRole("link", { name: "Invite someone who has no account yet" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Message #general" }).fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByText("This is the beginning of the room.", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Add a topic" }).count()).toBe(0);
  await browser.close();
  await world.stop();
});
