import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { measureContrast } from "../../public/app/state/palette.ts";
import { World } from "../support/world.ts";
import { FIREFOX, FirefoxView } from "./firefox.ts";
import { testEngine } from "./suite.ts";

afterAll(() => FirefoxView.closeShared());

const isInstalled = testEngine({
  name: "Firefox",
  packages: { "firefox-esr": FIREFOX },
  open: (options) => FirefoxView.open(options),
});

describe.skipIf(!isInstalled)("Firefox with blocked storage", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    const ada = await world.person("ada", { displayName: "Ada Lovelace" });
    await ada.say(await world.room("fireside", ada), "The kettle is on.");
  });
  afterAll(() => world?.stop());

  const open = (preferences: Record<string, unknown>) =>
    FirefoxView.open({ width: 1280, height: 800 }, preferences);

  test("says that it needs cookies where they are blocked", async () => {
    // BEHAVIOR_REJECT of nsICookieService
    const view = await open({ "network.cookie.cookieBehavior": 2, "intl.locale.requested": "en" });
    await view.load(`${world.service.address}/`);
    await view.read("Snug needs cookies. Allow them for this page and load it again.");
    await view.close();
  });

  test("works without localStorage", async () => {
    const view = await open({ "dom.storage.enabled": false });
    await view.load(`${world.service.address}/rooms/fireside`);
    expect(await view.run(() => String(globalThis.localStorage))).toBe("null");
    await view.signIn("ada");
    await view.read("The kettle is on.");
    await view.click({ role: "textbox", name: "Message #fireside" });
    await view.type("Milk first");
    await view.press("Enter");
    await view.untilSent("Milk first");
    expect(await view.errors()).toEqual([]);
    await view.close();
  });
});

test.skipIf(!isInstalled)(
  "scroll bars that take space are thin in Firefox, and stand out on each ground",
  async () => {
    const world = await World.start();
    const ada = await world.person("ada");
    const room = await world.room("fireside", ada);
    for (let n = 0; n < 30; n++) await ada.say(room, `The kettle is on.\n\nCup ${n}`);
    const view = await FirefoxView.open(
      { width: 1280, height: 800 },
      { "widget.gtk.overlay-scrollbars.enabled": false, "ui.useOverlayScrollbars": 0 },
    );
    await view.load(`${world.service.address}/rooms/fireside`);
    await view.signIn("ada");
    await view.read("Cup 29");
    const width = await view.run(() => {
      const list = document.querySelector<HTMLElement>("[role=log]");
      return list && list.offsetWidth - list.clientWidth;
    });
    expect(width).toBeWithin(1, 9);
    for (const theme of ["light", "dark", "midnight", "sunset"]) {
      const { bar, grounds } = await view.run((name) => {
        document.documentElement.dataset.theme = name;
        const hexOf = (color: string) => {
          const canvas = document.createElement("canvas").getContext("2d");
          if (!canvas) throw new Error("no canvas");
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const bytes = [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
          return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
        };
        const [thumb = ""] =
          /^\S+\([^)]*\)/.exec(getComputedStyle(document.body).scrollbarColor) ?? [];
        const styles = getComputedStyle(document.documentElement);
        const names = ["--background", "--surface", "--sidebar"];
        return { bar: hexOf(thumb), grounds: names.map((of) => styles.getPropertyValue(of)) };
      }, theme);
      for (const ground of grounds) expect(measureContrast(bar, ground)).toBeGreaterThanOrEqual(3);
    }
    await view.close();
    await world.stop();
  },
);
