import { expect, setDefaultTimeout, test } from "bun:test";
import { launchBrowser, newPage, WIDE } from "../support/browser.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(60_000);

test("the setup opens for a team that nobody uses yet, and only for that", async () => {
  const [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  await world.database.sql`update team_settings set setup_step = 3`;
  const ada = await world.person("ada", { isSiteAdmin: true });
  const room = await world.room("general", ada);
  const { page } = await newPage(browser, WIDE);
  const [name = "", value = ""] = (ada.cookie ?? "").split("=");
  await page.context().addCookies([{ name, value, url: world.service.address }]);
  await page.goto(world.service.address);
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
  await page.locator(".message", { hasText: "Is anyone here?" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/rooms/general");
  await browser.close();
  await world.stop();
});
