import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parseSync, Visitor } from "oxc-parser";
import type { Browser, Locator, Page } from "playwright-core";
import {
  act,
  launchBrowser,
  messageRow,
  newPage,
  PHONE,
  restLoaded,
  signedInPage,
  signIn,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** What another engine lacks or does in its own way, taken from Chromium or imitated there. */
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let den: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  den = await world.room("den", ada, [bob]);
  await world.room("attic", ada, [bob]);
  await ada.say(den, "Lights out");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(
  path: string,
  options: object = WIDE,
  prepare?: () => void,
  origin = world.service.address,
) {
  const { cookie } = ada;
  return signedInPage(
    browser,
    { base: origin, cookie },
    path,
    options,
    (page) => prepare && page.addInitScript(prepare),
  );
}

const composer = (page: Page) => page.getByRole("textbox", { name: /^Message #/ });

/** The classes of each `dialog` and of each element with `popover`, as the sources have them. */
async function readTopLayer(): Promise<{ tag: string; classes: string }[]> {
  const elements: { tag: string; classes: string }[] = [];
  for await (const file of new Bun.Glob("public/app/**/*.tsx").scan()) {
    const source = await Bun.file(file).text();
    new Visitor({
      JSXOpeningElement({ name, attributes }) {
        const tag = source.slice(name.start, name.end);
        const named = (wanted: string) =>
          attributes.find((it) => it.type === "JSXAttribute" && it.name.name === wanted);
        if (tag !== "dialog" && tag !== "Popup" && !named("popover")) return;
        const attribute = named("class");
        const text = attribute ? source.slice(attribute.start, attribute.end) : "";
        for (const [, classes = ""] of text.matchAll(/"([^"]+)"/g))
          elements.push({ tag: tag === "dialog" ? tag : "div", classes });
      },
    }).visit(parseSync(file, source).program);
  }
  return elements;
}

describe.each([
  ["wide", WIDE],
  ["on a phone", PHONE],
])("%s", (_, options) => {
  test("no dialog or popover is a grid as high as its content, which WebKit stretches", async () => {
    const { page } = await open("/rooms/den", options);
    await page.waitForFunction(() =>
      [...document.styleSheets].some(({ cssRules }) =>
        [...cssRules].some(({ cssText }) => cssText.includes(".emoji-picker")),
      ),
    );
    const all = await readTopLayer();
    expect(all.flatMap(({ classes }) => classes.split(" "))).toContain("emoji-picker");
    const stretched = await page.evaluate((elements) => {
      const isStretched = ({ tag, classes }: { tag: string; classes: string }) => {
        const element = document.createElement(tag);
        element.className = classes;
        document.body.append(element);
        if (element instanceof HTMLDialogElement) element.showModal();
        else {
          element.popover = "manual";
          element.showPopover();
        }
        const isGrid = getComputedStyle(element).display.includes("grid");
        const height = String(element.computedStyleMap().get("height"));
        element.remove();
        return isGrid && height.includes("content");
      };
      return elements.filter(isStretched).map(({ classes }) => classes);
    }, all);
    expect(stretched).toEqual([]);
  });
});

describe("a text area without `field-sizing`", () => {
  const takeFieldSizing = () => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...args: [string, string?]) =>
      !args.join().includes("field-sizing") && supports(...(args as [string, string]));
    addEventListener("DOMContentLoaded", () => {
      const style = new CSSStyleSheet();
      style.replaceSync("textarea { field-sizing: fixed !important }");
      document.adoptedStyleSheets.push(style);
    });
  };
  const heightOf = (area: Locator) => area.evaluate((it) => it.clientHeight);
  /** Waits until all of the text is in sight, or as much of it as the limit allows. */
  const fits = async (area: Locator) => {
    const element = await area.elementHandle();
    await area.page().waitForFunction((it) => {
      const { scrollHeight, clientHeight, offsetHeight } = it as HTMLElement;
      return scrollHeight <= clientHeight + 1 || Math.abs(offsetHeight - innerHeight * 0.4) <= 1;
    }, element);
  };
  const LINES = "one\ntwo\nthree\nfour";

  test("grows in the composer with its text and with less width, and shrinks when it is sent", async () => {
    const { page } = await open("/rooms/den", WIDE, takeFieldSizing);
    const area = composer(page);
    const oneLine = await heightOf(area);
    await area.fill(LINES);
    await fits(area);
    expect(await heightOf(area)).toBeGreaterThan(oneLine * 2);
    await area.fill("word ".repeat(40));
    await fits(area);
    const wide = await heightOf(area);
    await page.setViewportSize({ width: 700, height: 800 });
    await fits(area);
    expect(await heightOf(area)).toBeGreaterThan(wide);
    await area.fill("line\n".repeat(60));
    await fits(area);
    expect(await area.evaluate((it) => (it as HTMLElement).offsetHeight / innerHeight)).toBeCloseTo(
      0.4,
      2,
    );
    await area.fill(LINES);
    await area.press("Enter");
    await messageRow(page, "four", "sent").waitFor();
    expect(await heightOf(area)).toBe(oneLine);
  });

  test("is as high as the text that it begins with, and grows in a thread", async () => {
    const message = await ada.say(den, `Draft of a plan\n${"step\n".repeat(8)}end`);
    const { page } = await open("/rooms/den", WIDE, takeFieldSizing);
    const row = page.locator(`[data-message-id="${message.id}"]`);
    await act(row, "Edit");
    const edit = row.getByRole("textbox");
    await fits(edit);
    expect(await heightOf(edit)).toBeGreaterThan(200);
    await edit.press("Escape");

    await row.hover();
    await row.getByRole("button", { name: "Reply in a thread" }).click();
    const reply = page.getByRole("textbox", { name: "Reply in the thread" });
    const before = await heightOf(reply);
    await reply.fill(LINES);
    await fits(reply);
    expect(await heightOf(reply)).toBeGreaterThan(before);
  });

  test("grows in a form, from three lines on", async () => {
    const { page } = await open("/rooms/den", WIDE, takeFieldSizing);
    await page.getByRole("button", { name: "Room settings" }).click();
    const area = page.getByRole("textbox", { name: "Topic" });
    const empty = await heightOf(area);
    expect(empty).toBeGreaterThan(60);
    await area.fill(`${LINES}\nfive\nsix`);
    await fits(area);
    expect(await heightOf(area)).toBeGreaterThan(empty);
  });
});

test("an iPad, which says that it is a Mac, shows how Snug gets to the home screen", async () => {
  const userAgent =
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15";
  const read = async (prepare: () => void) => {
    const { page, context } = await open("/profile/notifications", { ...WIDE, userAgent }, prepare);
    const text = await page.getByText(/Home Screen|can.t show/).textContent();
    await context.close();
    return text;
  };
  const ipad = await read(() => {
    Reflect.deleteProperty(globalThis, "PushManager");
    Object.defineProperty(navigator, "maxTouchPoints", { value: 5 });
  });
  expect(ipad).toContain("Home Screen");
  const mac = await read(() => {
    Reflect.deleteProperty(globalThis, "PushManager");
    Object.defineProperty(navigator, "maxTouchPoints", { value: 0 });
  });
  expect(mac).not.toContain("Home Screen");
});

test("a browser without passkeys says so, and does not blame the address", async () => {
  const origin = world.service.address.replace("127.0.0.1", "localhost");
  const without = () => Reflect.deleteProperty(globalThis, "PublicKeyCredential");
  const { page } = await open("/profile/security", WIDE, without, origin);
  await page.getByText("This browser has no passkeys.").waitFor();
});

/** A zone where it is this hour of the day now, or the next one a moment later. */
function zoneAt(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
}

test.each([
  ["en-US", /^[23]:\d\d\sAM$/],
  ["en-GB", /^0[23]:\d\d$/],
  ["de-DE", /^0[23]:\d\d$/],
  ["es-ES", /^[23]:\d\d$/],
])("a time at night is written as the clocks of %s show it", async (locale, written) => {
  await ada.say(den, `In ${locale}`);
  const { page } = await open("/rooms/den", { ...WIDE, locale, timezoneId: zoneAt(2) });
  const time = page.getByRole("log").locator("p time").last();
  await time.waitFor();
  expect(await time.textContent()).toMatch(written);
});

describe("with a clock of twelve hours", () => {
  const options = { ...WIDE, locale: "en-US", timezoneId: zoneAt(20) };

  test("times begin with no zero, and a message has the same time before and after it is sent", async () => {
    const { page, context } = await newPage(browser, options);
    await signIn(context, ada);
    let release = () => {};
    await page.routeWebSocket(/\/ws\/chat/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        if (!String(frame).includes("Nightfall")) server.send(frame);
        else release = () => server.send(frame);
      });
    });
    await page.goto(`${world.service.address}/rooms/attic`);
    await composer(page).fill("Nightfall");
    await composer(page).press("Enter");
    const row = messageRow(page, "Nightfall");
    await messageRow(page, "Nightfall", "pending").waitFor();
    const time = row.locator("p time");
    const pending = await time.textContent();
    expect(pending).toMatch(/^\d:\d\d\sPM$/);
    release();
    await messageRow(page, "Nightfall", "sent").waitFor();
    expect(await time.textContent()).toMatch(/^\d:\d\d\sPM$/);
  });

  test("the time of a row beside its text does not touch the text, in a wide font", async () => {
    await ada.say(den, "A head");
    const message = await ada.say(den, "Below it");
    const { page } = await open("/rooms/den", { ...options, bypassCSP: true });
    await page.addStyleTag({ content: '[role=log] time { font-family: "DejaVu Sans", Verdana }' });
    const row = page.locator(`[data-message-id="${message.id}"]`);
    await row.hover();
    const [time, text] = await Promise.all([
      row.locator("time").boundingBox(),
      row.getByText("Below it").boundingBox(),
    ]);
    expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThan(text?.x ?? 0);
  });
});

describe("a sound is played", () => {
  type Fake = { state: string; resumed: string | null; tones: number };
  const fakeAudio = () => {
    const fake: Fake = { state: "suspended", resumed: null, tones: 0 };
    const node = () => ({
      connect: node,
      start() {},
      stop() {},
      frequency: {},
      gain: {
        setValueAtTime() {},
        linearRampToValueAtTime() {},
        exponentialRampToValueAtTime() {},
      },
    });
    class FakeContext {
      currentTime = 0;
      get state() {
        return fake.state;
      }
      resume() {
        if (fake.resumed === null) return new Promise(() => {});
        fake.state = fake.resumed;
        return Promise.resolve();
      }
      createOscillator() {
        if (fake.state === "running") fake.tones += 1;
        return node();
      }
      createGain = node;
    }
    Object.assign(globalThis, { fake, AudioContext: FakeContext });
  };
  const set = (page: Page, change: Partial<Fake>) =>
    page.evaluate((it) => {
      Object.assign((globalThis as unknown as { fake: Fake }).fake, it);
    }, change);
  const heard = (page: Page) =>
    page.waitForFunction(() => (globalThis as unknown as { fake: Fake }).fake.tones > 0);
  const openAttic = async (prepare: () => void) => {
    await ada.patch("/api/auth/me", { sound: "drop" });
    const tab = await open("/rooms/attic", WIDE, prepare);
    await composer(tab.page).waitFor();
    // What plays sounds comes with the announcer, after the first screen.
    await restLoaded(tab.page);
    await tab.page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    return tab;
  };
  const mention = async (page: Page) => {
    const row = page
      .getByRole("complementary", { name: "Rooms" })
      .getByRole("link", { name: /den/ });
    const before = await row.textContent();
    await bob.say(den, "@ada");
    await page.waitForFunction(
      ([text]) => {
        const links = [...document.querySelectorAll<HTMLElement>("[aria-label=Rooms] a")];
        return !links.some((it) => it.textContent === text);
      },
      [before],
    );
  };

  test("after a click, though the browser had not answered before it", async () => {
    const { page } = await openAttic(fakeAudio);
    await mention(page);
    await page.waitForFunction(async () => {
      const { held = [] } = await navigator.locks.query();
      return !held.some(({ name }) => name === "snug.sound");
    });
    await set(page, { state: "running" });
    await mention(page);
    await heard(page);
  });

  test("after another app has interrupted the browser's audio", async () => {
    const { page } = await openAttic(fakeAudio);
    await set(page, { state: "interrupted", resumed: "running" });
    await mention(page);
    await heard(page);
  });

  test("without Web Locks", async () => {
    const { page } = await openAttic(fakeAudio);
    await page.evaluate(() => Object.defineProperty(navigator, "locks", { value: undefined }));
    await set(page, { state: "running" });
    await mention(page);
    await heard(page);
  });
});
