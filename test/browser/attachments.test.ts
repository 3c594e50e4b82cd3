import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { setUploadLimit } from "../../src/uploads/limit.ts";
import {
  act,
  launchBrowser,
  messageRow,
  type PageOptions,
  PHONE,
  signedInPage,
  paneHead,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { PICTURES, quarters } from "../support/images.ts";
import { World } from "../support/world.ts";
import { eventually, expectSoon } from "../support/wait.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

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
async function open(
  client: Client,
  options: PageOptions,
  path = "/rooms/general",
  prepare?: (page: Page) => unknown,
) {
  const tab = await signedInPage(browser, client, path, options, prepare);
  await tab.page.getByRole("textbox", { name: /^Message #/ }).waitFor();
  return tab;
}

/** Half a second of silence: WAV, 8,000 samples of a byte a second. */
function beep(): Uint8Array {
  const samples = Buffer.alloc(4_000, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).click();

/** The stored pictures of galleries: these are lists in the list of a day. */
const galleryTiles = (page: Page) =>
  page.getByRole("log").locator('ol ol ol > li:not([data-state="pending"])');

describe("attachments", () => {
  test("are picked, shown to others, opened and downloaded", async () => {
    const tab = await open(ada, WIDE);
    const two = await open(bob, PHONE);
    const png = await quarters(1_200, 800).png().toBuffer();
    await tab.page.setInputFiles('input[type="file"]', [
      { name: "quarters.png", mimeType: "image/png", buffer: png },
      { name: "a rather long name of a report.pdf", mimeType: "application/pdf", buffer: png },
    ]);
    const tray = tab.page.getByRole("list", { name: "Attachments" });
    await tray.locator('[data-state="done"]').nth(1).waitFor();
    await tab.page.screenshot({ path: join(SHOTS, "tray-wide.png") });
    await tab.page.getByRole("textbox", { name: "Message #general" }).fill("Look at this");
    await send(tab.page);
    await tray.waitFor({ state: "detached" });

    const image = two.page.getByRole("img", { name: "image from Ada Lovelace" });
    await image.waitFor();
    await expectSoon(() => image.evaluate((img: HTMLImageElement) => img.complete), true);
    const file = two.page.getByRole("link", { name: /a rather long name of a report\.pdf/ });
    expect(await file.getAttribute("href")).toMatch(/^\/api\/rooms\/.+\/files\/.+/);
    await two.page.screenshot({ path: join(SHOTS, "attachments-phone.png") });
    await tab.page.screenshot({ path: join(SHOTS, "attachments-wide.png") });

    await tab.page.getByRole("button", { name: "Open image from Ada Lovelace" }).click();
    const box = tab.page.getByRole("dialog", { name: "Image from Ada Lovelace" });
    await box.waitFor();
    await tab.page.keyboard.press("+");
    await box.locator('img[data-zoomed="true"]').waitFor();
    await tab.page.keyboard.press("0");
    await box.locator('img[data-zoomed="false"]').waitFor();
    const stage = box.locator("img[data-zoomed]").locator("..");
    const heights = await stage.evaluate((element) => [element.scrollHeight, element.clientHeight]);
    // All of the picture is visible.
    expect(heights[0]).toBe(heights[1] as number);
    await tab.page.screenshot({ path: join(SHOTS, "lightbox-wide.png") });
    await tab.page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
  });

  test("are whole in a window that is lower than they are", async () => {
    const place = await world.room("low", ada, [bob]);
    const bytes = await quarters(1_200, 800).png().toBuffer();
    const { body } = await bob.upload(`/api/rooms/${place}/images`, bytes, "l.png", "image/png");
    await bob.post(`/api/rooms/${place}/messages`, { image_id: body.id, content: "Low caption" });
    const low = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
    const { page } = await open(ada, low, "/rooms/low");
    await page.getByRole("button", { name: /^Open image/ }).click();
    const shown = page.getByRole("dialog").locator("img[data-zoomed]");
    await expectSoon(() => shown.evaluate((img: HTMLImageElement) => img.complete), true);
    const boxOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect());
    const [picture, head, caption] = await Promise.all([
      boxOf(shown),
      boxOf(page.getByRole("dialog").locator("header")),
      boxOf(page.getByRole("dialog").getByText("Low caption")),
    ]);
    expect(picture.top).toBeGreaterThanOrEqual(head.bottom);
    expect(caption.top - picture.bottom).toBeGreaterThanOrEqual(8);
    expect(picture.width / picture.height).toBeCloseTo(1.5, 1);
    // Zoomed in, all of it can be scrolled to.
    await shown.click();
    await page.getByRole("dialog").locator('img[data-zoomed="true"]').waitFor();
    const stage = page.getByRole("dialog").locator(".stage");
    await stage.evaluate((element) => element.scrollTo(0, 0));
    expect((await boxOf(shown)).top).toBeGreaterThanOrEqual(head.bottom);
  });

  test("that are sent together are one gallery, of messages with their own actions", async () => {
    const tab = await open(ada, WIDE);
    const { page } = tab;
    const pictures = [];
    for (const side of [300, 310, 320, 330, 340]) {
      pictures.push({
        name: `${side}.png`,
        mimeType: "image/png",
        buffer: await quarters(side, 200).png().toBuffer(),
      });
    }
    await page.setInputFiles('input[type="file"]', pictures);
    const tray = page.getByRole("list", { name: "Attachments" });
    await tray.locator('[data-state="done"]').nth(4).waitFor();
    await tray.getByRole("button", { name: "Describe 300.png" }).click();
    await page.getByLabel("What does it show?").fill("four colours");
    await page.keyboard.press("Enter");
    await page.screenshot({ path: join(SHOTS, "tray-alt-wide.png") });
    await page.getByRole("textbox", { name: "Message #general" }).fill("five of them");
    // The height of all rows from the first pending one on: it never changes.
    await page.evaluate(() => {
      const heights: number[] = [];
      Object.assign(globalThis, { heights });
      const list = document.querySelector('[role="log"] > ol') as Element;
      new MutationObserver(() => {
        if (list.textContent?.includes("five of them"))
          heights.push(list.getBoundingClientRect().height);
      }).observe(list, { subtree: true, childList: true, attributes: true });
    });
    await send(page);
    const tiles = galleryTiles(page);
    await tiles.nth(4).waitFor();
    const heights = await page.evaluate(
      () => (globalThis as unknown as { heights: number[] }).heights,
    );
    expect(new Set(heights).size).toBe(1);
    await page.getByRole("img", { name: "four colours" }).waitFor();
    await page.screenshot({ path: join(SHOTS, "gallery-wide.png") });

    // Each is a message: it takes a reaction, and is deleted alone.
    await tiles.nth(2).hover();
    await tiles
      .nth(2)
      .getByRole("button", { name: /^React with/ })
      .first()
      .click();
    await tiles
      .nth(2)
      .getByRole("button", { name: /, 1: you$/ })
      .waitFor();
    await act(tiles.nth(3), "Delete message");
    await tiles.nth(4).waitFor({ state: "detached" });
    // The first has its text in a row of its own, with the actions.
    await tiles.nth(0).hover();
    await messageRow(page, "five of them").getByRole("button", { name: "More actions" }).waitFor();
    await tab.context.close();
    const two = await open(bob, PHONE);
    await galleryTiles(two.page).nth(3).waitFor();
    await two.page.screenshot({ path: join(SHOTS, "gallery-phone.png") });
  });

  test("are linked one by one: a link to a folded picture unfolds the gallery", async () => {
    const room = await world.room("wall", ada, [bob]);
    const image = await quarters(200, 200).png().toBuffer();
    const group_id = Bun.randomUUIDv7();
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const { body } = await bob.upload(`/api/rooms/${room}/images`, image, "a.png", "image/png");
      const sent = { image_id: body.id, group_id };
      ids.push((await bob.post(`/api/rooms/${room}/messages`, sent)).body.id);
    }
    const { page } = await open(ada, WIDE, `/rooms/wall/m/${ids[10]}`);
    const tile = page.locator(`[aria-current][data-message-id="${ids[10]}"]`);
    await tile.getByRole("button").first().waitFor();
    await page.waitForFunction((id) => {
      const box = document.querySelector(`[data-message-id="${id}"]`)?.getBoundingClientRect();
      const list = document.querySelector('[role="log"]')?.getBoundingClientRect();
      return box && list && box.top >= list.top && box.bottom <= list.bottom;
    }, ids[10]);
    await page.screenshot({ path: join(SHOTS, "gallery-link-wide.png") });
  });

  test("keep their size when they do not load", async () => {
    const tab = await open(ada, WIDE, "/rooms/general", (page) =>
      page.route("**/images/**", (route) => route.abort()),
    );
    const broken = tab.page.getByRole("button", { name: /The image didn't load/ }).first();
    await broken.waitFor();
    const box = await broken.boundingBox();
    expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([400, 267]);
    await tab.page.screenshot({ path: join(SHOTS, "image-broken-wide.png") });
  });

  test("that are opened and do not load are replaced by words", async () => {
    const tab = await open(ada, WIDE, "/rooms/general", (page) =>
      page.route("**/images/**", (route) =>
        route.request().url().includes("size=thumb") ? route.continue() : route.abort(),
      ),
    );
    await tab.page.getByRole("button", { name: "Open image from Ada Lovelace" }).first().click();
    const box = tab.page.getByRole("dialog", { name: "Image from Ada Lovelace" });
    await box.getByText("The image didn't load", { exact: true }).waitFor();
  });

  test("that are sound or film play in place, and nothing else does", async () => {
    const room = await world.room("studio", ada, [bob]);
    const send = async (name: string, type: string, bytes: Uint8Array) => {
      const { body } = await bob.upload(`/api/rooms/${room}/files`, bytes, name, type);
      await bob.post(`/api/rooms/${room}/messages`, { file_id: body.id });
    };
    const page = new TextEncoder().encode("<script>parent.document.title = 'mine'</script>");
    await send("page.html", "text/html", page);
    await send("disguised.mp4", "video/mp4", page);
    await send("beep.wav", "audio/wav", beep());
    const tab = await open(ada, WIDE, "/rooms/studio");
    const sound = tab.page.locator("audio");
    await sound.waitFor();
    const seconds = await sound.evaluate(async (element) => {
      const audio = element as HTMLAudioElement;
      const { promise, resolve } = Promise.withResolvers<void>();
      audio.onloadedmetadata = () => resolve();
      audio.preload = "metadata";
      audio.load();
      await promise;
      return audio.duration;
    });
    expect(seconds).toBeCloseTo(0.5, 1);
    expect(await tab.page.locator("audio, video").count()).toBe(2);
    expect(await tab.page.getByRole("link", { name: /page\.html|disguised|beep/ }).count()).toBe(3);
    expect(await tab.page.title()).toContain("studio");
    await tab.page.screenshot({ path: join(SHOTS, "players-wide.png") });
  });

  test("that are PDFs open above the room, with a download beside", async () => {
    const room = await world.room("papers", ada, [bob]);
    const pdf = new TextEncoder().encode("%PDF-1.4\n%%EOF");
    const path = `/api/rooms/${room}/files`;
    const { body } = await bob.upload(path, pdf, "plan.pdf", "application/pdf");
    await bob.post(`/api/rooms/${room}/messages`, { file_id: body.id });
    const tab = await open(ada, WIDE, "/rooms/papers", async (page) => {
      // The browser of the tests has no viewer of its own.
      await page.addInitScript(() =>
        Object.defineProperty(navigator, "pdfViewerEnabled", { get: () => true }),
      );
      // Without one it would download it.
      await page.route("**/*?view=true", (route) =>
        route.fulfill({ contentType: "text/html", body: "<p>the viewer</p>" }),
      );
    });
    const row = tab.page.getByRole("link", { name: /plan\.pdf/ });
    expect(await row.first().getAttribute("href")).toBe(`${body.url}?view=true`);
    await row.first().click();
    const dialog = tab.page.getByRole("dialog", { name: "plan.pdf" });
    await dialog.waitFor();
    const frame = tab.page.frameLocator("iframe");
    await frame.getByText("the viewer").waitFor();
    await tab.page.screenshot({ path: join(SHOTS, "pdf-wide.png") });
    const download = tab.page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("plan.pdf");
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  test("of any ratio stay within the limits, and large enough to hit", async () => {
    const place = await world.room("ratios", ada, [bob]);
    const sizes = [
      [1, 2_000],
      [80, 2_000],
      [40, 300],
      [2_000, 8],
      [2_000, 200],
      [300, 200],
      [20, 20],
    ] as const;
    for (const [width, height] of sizes) {
      const bytes = await sharp({ create: { width, height, channels: 3, background: "#c33" } })
        .png()
        .toBuffer();
      const { body } = await bob.upload(`/api/rooms/${place}/images`, bytes, "a.png", "image/png");
      await bob.post(`/api/rooms/${place}/messages`, { image_id: body.id, content: "x" });
    }
    const part = (background: string, left: number) => ({
      input: { create: { width: 60, height: 60, channels: 3 as const, background } },
      left,
      top: 30,
    });
    const drawing = sharp({
      create: { width: 200, height: 120, channels: 4, background: "#0000" },
    });
    drawing.composite([part("#000", 20), part("#fff", 120)]);
    const bytes = await drawing.png().toBuffer();
    const { body } = await bob.upload(`/api/rooms/${place}/images`, bytes, "d.png", "image/png");
    await bob.post(`/api/rooms/${place}/messages`, { image_id: body.id, content: "drawing" });
    for (const [name, options] of [
      ["wide", WIDE],
      ["phone", PHONE],
    ] as const) {
      const { page, context } = await open(ada, options, "/rooms/ratios");
      const images = page.getByRole("log").getByRole("button", { name: /^Open / });
      await images.nth(sizes.length).waitFor();
      const boxes = await images.evaluateAll((all) =>
        all.map((element) => [
          element.getBoundingClientRect().width,
          element.getBoundingClientRect().height,
        ]),
      );
      for (const [width = 0, height = 0] of boxes) {
        expect(width).toBeWithin(40, 401);
        expect(height).toBeWithin(32, 321);
      }
      const last = images.last();
      await last.scrollIntoViewIfNeeded();
      const widthOf = (img: HTMLImageElement) => img.naturalWidth;
      await eventually(async () => (await last.getByRole("img").evaluate(widthOf)) > 0);
      const ground = (element: Element) => getComputedStyle(element).backgroundImage;
      const shown = page.getByRole("dialog").locator("img[data-zoomed]");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await last.locator("img").evaluate(ground)).toContain("gradient");
        await page.screenshot({ path: join(SHOTS, `ratios-${name}-${colorScheme}.png`) });
        await last.click();
        await shown.waitFor();
        expect(await shown.evaluate(ground)).toContain("gradient");
        await page.screenshot({ path: join(SHOTS, `ratios-lightbox-${name}-${colorScheme}.png`) });
        await page.keyboard.press("Escape");
        await shown.waitFor({ state: "detached" });
      }
      await context.close();
    }
  });

  test("that move go on moving, as the browser shows them", async () => {
    const { page } = await open(ada, WIDE);
    const names = ["moving.avif", "moving-alpha.avif", "moving.png"];
    const shown = page.getByRole("button", { name: /^Open / }).getByRole("img");
    for (const name of names) {
      const count = await shown.count();
      await page.locator('input[type="file"]').setInputFiles(join(PICTURES, name));
      const tray = page.getByRole("list", { name: "Attachments" });
      await tray.locator('[data-state="done"]').waitFor();
      await send(page);
      await shown.nth(count).waitFor();
    }
    for (let i = (await shown.count()) - names.length; i < (await shown.count()); i++) {
      const frames = await shown.nth(i).evaluate(async (img: HTMLImageElement) => {
        const answer = await fetch(img.src);
        const type = answer.headers.get("content-type") ?? "";
        const decoder = new ImageDecoder({ data: await answer.arrayBuffer(), type });
        await decoder.tracks.ready;
        await decoder.completed;
        return [img.naturalWidth, decoder.tracks.selectedTrack?.frameCount];
      });
      expect(frames).toEqual([40, 3]);
    }
    await page.screenshot({ path: join(SHOTS, "attachments-moving.png") });
  });

  test("are attached by drop, with an error for a file that is too large", async () => {
    await setUploadLimit(world.database.db, 4_096);
    const tab = await open(ada, WIDE);
    const room = tab.page.getByRole("region", { name: "#general" });
    const dropped = await tab.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x".repeat(10_000)], "large.txt", { type: "text/plain" }));
      return data;
    });
    await room.dispatchEvent("dragenter", { dataTransfer: dropped });
    const cover = tab.page.locator(".drop-over", { hasText: "Drop to attach to #general" });
    const head = await paneHead(tab.page).first().boundingBox();
    expect((await cover.boundingBox())?.y).toBe((head?.height ?? 0) + 8);
    await tab.page.screenshot({ path: join(SHOTS, "drop-wide.png") });
    await room.dispatchEvent("drop", { dataTransfer: dropped });
    await tab.page.getByText("9.76 KB is too large. The limit is 4 KB.").waitFor();
    await tab.page.screenshot({ path: join(SHOTS, "too-large-wide.png") });
    await tab.page.getByRole("button", { name: "Remove large.txt" }).click();
    await tab.page.getByRole("list", { name: "Attachments" }).waitFor({ state: "detached" });
  });
});
