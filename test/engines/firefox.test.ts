import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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
