import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import { launchBrowser, newPage, PHONE, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { quarters } from "../support/images.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(90_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  await world.room("general", ada, [bob]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** The address that the service takes for its own over plain http. */
async function open(client: Client, options: Parameters<typeof newPage>[1]) {
  const one = await newPage(browser, options);
  const [name = "", value = ""] = (client.cookie ?? "").split("=");
  await one.context.addCookies([{ name, value, url: world.service.address }]);
  await one.page.goto(`${world.service.address}/rooms/general`);
  await one.page.getByRole("textbox", { name: "Message #general" }).waitFor();
  return one;
}

const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();

describe("attachments", () => {
  test("are picked, shown to others, opened and downloaded", async () => {
    const one = await open(ada, WIDE);
    const two = await open(bob, PHONE);
    const png = await quarters(1_200, 800).png().toBuffer();
    await one.page.setInputFiles('input[type="file"]', [
      { name: "quarters.png", mimeType: "image/png", buffer: png },
      { name: "a rather long name of a report.pdf", mimeType: "application/pdf", buffer: png },
    ]);
    const tray = one.page.getByRole("list", { name: "Attachments" });
    await tray.locator('[data-state="done"]').nth(1).waitFor();
    await one.page.screenshot({ path: join(SHOTS, "tray-wide.png") });
    await one.page.getByRole("textbox", { name: "Message #general" }).fill("Look at this");
    await send(one.page);
    await tray.waitFor({ state: "detached" });

    const image = two.page.getByRole("img", { name: "image from Ada Lovelace" });
    await image.waitFor();
    await two.page.waitForFunction(
      () => document.querySelector<HTMLImageElement>(".image img")?.complete,
    );
    const file = two.page.getByRole("link", { name: /a rather long name of a report\.pdf/ });
    expect(await file.getAttribute("href")).toMatch(/^\/api\/rooms\/.+\/files\/.+/);
    await two.page.screenshot({ path: join(SHOTS, "attachments-phone.png") });
    await one.page.screenshot({ path: join(SHOTS, "attachments-wide.png") });

    await one.page.getByRole("button", { name: "Open image from Ada Lovelace" }).click();
    const box = one.page.getByRole("dialog", { name: "Image from Ada Lovelace" });
    await box.waitFor();
    await one.page.keyboard.press("+");
    await box.locator('img[data-zoomed="true"]').waitFor();
    await one.page.keyboard.press("0");
    await one.page.screenshot({ path: join(SHOTS, "lightbox-wide.png") });
    await one.page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    expect(one.complaints).toEqual([]);
    expect(two.complaints).toEqual([]);
    await one.context.close();
    await two.context.close();
  });

  test("keep their size when they do not load", async () => {
    const one = await open(ada, WIDE);
    await one.context.route("**/images/**", (route) => route.abort());
    await one.page.reload();
    const broken = one.page.getByRole("button", { name: /The image didn't load/ });
    await broken.waitFor();
    const box = await broken.boundingBox();
    expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([400, 267]);
    await one.page.screenshot({ path: join(SHOTS, "image-broken-wide.png") });
    await one.context.close();
  });

  test("are attached by drop, with an error for a file that is too large", async () => {
    await setUploadLimit(world.database.db, 4_096);
    const one = await open(ada, WIDE);
    const dropped = await one.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x".repeat(10_000)], "large.txt", { type: "text/plain" }));
      return data;
    });
    await one.page.dispatchEvent(".pane", "dragenter", { dataTransfer: dropped });
    await one.page.getByText("Drop to attach to #general").waitFor();
    await one.page.screenshot({ path: join(SHOTS, "drop-wide.png") });
    await one.page.dispatchEvent(".pane", "drop", { dataTransfer: dropped });
    await one.page.getByText("9.76 KB is too large. The limit is 4 KB.").waitFor();
    await one.page.screenshot({ path: join(SHOTS, "too-large-wide.png") });
    await one.page.getByRole("button", { name: "Remove large.txt" }).click();
    await one.page.getByRole("list", { name: "Attachments" }).waitFor({ state: "detached" });
    await one.context.close();
  });
});
