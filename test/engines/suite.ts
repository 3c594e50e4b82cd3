import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../support/client.ts";
import { findFreePort } from "../support/ports.ts";
import { World } from "../support/world.ts";
import type { Target } from "./in-page.ts";
import type { View, ViewOptions } from "./view.ts";

/** With PICTURES=1, pictures of all screens, to look at. */
const PICTURES = process.env.PICTURES === "1" && join(import.meta.dir, "../output");
const MESSAGES = 120;

/** Addresses that are loaded one after the other, and the heading by which each is shown. */
const SCREENS: [path: string, heading: string][] = [
  ["/rooms/fireside", "fireside"],
  ["/activity", "Activity"],
  ["/threads", "Threads"],
  ["/later", "Later"],
  ["/drafts", "Drafts & scheduled"],
  ["/direct", "Direct messages"],
  ["/browse", "Browse rooms"],
  ["/search", "Search messages"],
  ["/profile/security", "Where you are signed in"],
  ["/admin/people", "People"],
];

export type Engine = {
  name: "Firefox" | "WebKit";
  /** Packages of Debian, and a file of each by which it is found. */
  packages: Record<string, string>;
  open(options: ViewOptions): Promise<View>;
};

const SIZES: [name: string, options: ViewOptions, theme: string][] = [
  ["wide", { width: 1440, height: 900 }, "light"],
  ["at 390 px", { width: 390, height: 844 }, "dark"],
];

/**
 * A day in one engine. The gate requires its packages; elsewhere a test says which are missing.
 * @returns false if the engine is missing
 */
export function testEngine({ name, packages, open }: Engine): boolean {
  const missing = Object.keys(packages).filter((it) => !existsSync(packages[it] ?? ""));
  if (missing.length > 0) {
    const command = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
    // A developer's machine may do without; the gate may not.
    test.skipIf(process.env.REQUIRE_ENGINES !== "1")(`${name} is installed: ${command}`, () => {
      expect(missing).toEqual([]);
    });
    return false;
  }
  setDefaultTimeout(120_000);
  describe.each(SIZES)(`${name} %s`, (size, options, theme) =>
    runDay(`${name} ${size}`, options, theme, open),
  );
  return true;
}

function runDay(
  title: string,
  options: ViewOptions,
  theme: string,
  open: (options: ViewOptions) => Promise<View>,
): void {
  const isPhone = options.width < 640;
  const port = String(findFreePort());
  let world: World;
  let view: View;
  let bob: Client;
  let room: string;
  let second: Awaited<ReturnType<World["secondInstance"]>>;

  beforeAll(async () => {
    // One after the other, so that what has started is ended where the other does not.
    world = await World.start({ PORT: port });
    view = await open(options);
    const ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
    await ada.patch("/api/auth/me", { theme, follows_system: false });
    bob = await world.person("bob", { displayName: "Bob Noyce" });
    await world.person("grace", { displayName: "Grace Hopper" });
    room = await world.room("fireside", ada, [bob]);
    for (let n = 1; n <= MESSAGES; n += 1) await bob.say(room, `Log ${n} is on the fire.`);
    await ada.post(`/api/rooms/${room}/read`, {});
  });
  afterAll(async () => {
    await view?.close();
    await world?.stop();
  });
  /** Loads an address and waits until its screen is shown. */
  const show = async (path: string, heading: string) => {
    await view.load(world.service.address + path);
    await view.see({ role: "heading", name: heading });
  };
  const composer = { role: "textbox", name: "Message #fireside" };

  test("signs in", async () => {
    await view.load(`${world.service.address}/rooms/fireside`);
    await view.signIn("ada");
    await view.read(`Log ${MESSAGES} is on the fire.`);
    expect(await view.run(() => document.hasFocus())).toBe(true);
    expect(await view.errors()).toEqual([]);
  });

  // How an address is loaded does not depend on the size of the window; what is laid out does.
  test.each(SCREENS)(
    `shows %s ${isPhone ? "in place" : "when it is loaded"}`,
    async (path, heading) => {
      if (!isPhone) await show(path, heading);
      else {
        await view.run((to) => {
          history.pushState(null, "", to);
          dispatchEvent(new PopStateEvent("popstate"));
        }, path);
        await view.see({ role: "heading", name: heading });
      }
      await view.until(
        "the end of what is loaded later",
        () => document.querySelector("[aria-busy='true'], [role='status'][aria-label]") === null,
      );
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        const screen = path.slice(1).replace("/", "-");
        await view.screenshot(join(PICTURES, `${title.replaceAll(" ", "-")}-${screen}.png`));
      }
      const overflow = await view.run(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await view.errors()).toEqual([]);
    },
  );

  test("grows the composer with its text, and shrinks it again", async () => {
    await show("/rooms/fireside", "fireside");
    await view.click(composer);
    const height = () => view.run(() => document.activeElement?.clientHeight ?? 0);
    const oneLine = await height();
    await view.run(() => document.execCommand("insertText", false, "one\ntwo\nthree\nfour"));
    await view.until(
      "four lines to be in sight",
      (before) => (document.activeElement?.clientHeight ?? 0) >= before * 2,
      oneLine,
    );
    const isWhole = () => {
      const area = document.activeElement as HTMLTextAreaElement;
      return area.scrollHeight <= area.clientHeight + 1;
    };
    expect(await view.run(isWhole)).toBe(true);
    await view.run(() => document.execCommand("selectAll"));
    await view.run(() => document.execCommand("delete"));
    await view.until(
      "the composer to shrink",
      (before) => document.activeElement?.clientHeight === before,
      oneLine,
    );
  });

  test("shows a toast of its own height, above the composer", async () => {
    await view.run(() =>
      [...document.querySelectorAll<HTMLElement>("[data-message-id]")].at(-1)?.focus(),
    );
    await view.press("ArrowUp");
    await view.see({ role: "toolbar", within: "[data-message-id]" });
    await view.press("s");
    await view.see({ role: "button", name: "Undo", within: "[role=status]" });
    const { toasts, bar } = await view.run(() => ({
      toasts: document
        .querySelector("[role=status][popover]")
        ?.getBoundingClientRect()
        .toJSON() as DOMRect,
      bar: document
        .querySelector("form:has(textarea)")
        ?.getBoundingClientRect()
        .toJSON() as DOMRect,
    }));
    expect(toasts.height).toBeLessThan(100);
    expect(toasts.left).toBeGreaterThanOrEqual(0);
    expect(toasts.right).toBeLessThanOrEqual(options.width);
    expect(toasts.bottom).toBeLessThanOrEqual(bar.bottom);
    await view.click({ role: "button", name: "Undo", within: "[role=status]" });
    await view.miss({ role: "button", name: "Undo", within: "[role=status]" });
  });

  /** Opens something with a search field, which lies in the window, and closes it with Escape. */
  const opensAndCloses = async (opener: Target, panel: Target, field: string) => {
    await view.click(opener);
    await view.see({ role: "searchbox", name: field });
    const { x, y, width, height } = await view.see(panel);
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(options.width);
    expect(y + height).toBeLessThanOrEqual(options.height);
    expect(height).toBeLessThan(options.height * 0.8);
    await view.until("the focus in the search field", () =>
      document.activeElement?.matches("input"),
    );
    await view.press("Escape");
    await view.miss(panel);
  };

  // A phone's keyboard has emoji: there it opens for reactions only.
  test.skipIf(isPhone)("opens the emoji picker in the window, and Escape closes it", () =>
    opensAndCloses(
      { role: "button", name: "Add an emoji" },
      { role: "dialog", name: "Choose an emoji" },
      "Search emoji",
    ),
  );

  test("opens a dialog in the window, and Escape closes it", async () => {
    if (isPhone) await view.load(`${world.service.address}/rooms/fireside?panel=members`);
    else await view.click({ role: "button", name: "Members.*" });
    await opensAndCloses(
      { role: "button", name: "Add a member" },
      { role: "dialog", name: "Add to #fireside" },
      "Search by name",
    );
  });

  test.skipIf(isPhone)("shows the list of a dialog that is as high as its content", async () => {
    await view.click({ role: "button", name: "Go to.*" });
    const option = await view.see({ role: "option", name: "Invite people" });
    const dialog = await view.see({ role: "dialog", name: "Go to" });
    expect(option.y + option.height).toBeLessThanOrEqual(dialog.y + dialog.height);
    await view.press("Escape");
    await view.miss({ role: "dialog", name: "Go to" });
  });

  test.skipIf(!isPhone)("closes a sheet with Back, and stays in the room", async () => {
    await view.load(`${world.service.address}/rooms/fireside?panel=members`);
    await view.click({ role: "button", name: "Add a member" });
    const sheet = { role: "dialog", name: "Add to #fireside" };
    await view.see(sheet);
    await view.run(() => history.back());
    await view.miss(sheet);
    expect(await view.run(() => location.pathname)).toBe("/rooms/fireside");
  });

  test("leaves Enter to an input method", async () => {
    await show("/rooms/fireside", "fireside");
    await view.click(composer);
    await view.type("nihon");
    // What Safari fires for the Enter that confirms a word, after `compositionend`.
    const wasHandled = await view.run(() => {
      const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
      Object.defineProperty(event, "keyCode", { value: 229 });
      return !document.activeElement?.dispatchEvent(event);
    });
    expect(wasHandled).toBe(false);
    const text = () => (document.activeElement as HTMLTextAreaElement).value;
    expect(await view.run(text)).toBe("nihon");
    await view.type("go");
    await view.press("Enter");
    await view.untilSent("nihongo");
  });

  test("shows a message of someone else at the bottom", async () => {
    await bob.say(room, "Bob is by the fire.");
    await view.read("Bob is by the fire.");
  });

  test("holds its place where someone reads, scrolled back", async () => {
    const list = { role: "log" };
    for (let turns = 0; turns < 8; turns += 1) await view.wheel(list, -600);
    const { id, top } = await view.until("a row that is shown", () => {
      const rows = [...document.querySelectorAll<HTMLElement>("[data-message-id]")];
      const row = rows.find((it) => it.getBoundingClientRect().top > 200);
      return row && { id: row.dataset.messageId ?? "", top: row.getBoundingClientRect().top };
    });
    for (let n = 1; n <= 3; n += 1) await bob.say(room, `News ${n}`);
    await view.see({ role: "button", name: "3 new.*|.*latest.*" });
    const after = await view.run(
      (it) => document.querySelector(`[data-message-id="${it}"]`)?.getBoundingClientRect().top ?? 0,
      id,
    );
    expect(Math.abs(after - top)).toBeLessThan(1.5);
  });

  test("sends what was written while the service was away", async () => {
    await show("/rooms/fireside", "fireside");
    await view.read("News 3");
    await view.click(composer);
    await world.service.stop();
    await view.type("Written meanwhile");
    await view.press("Enter");
    await view.read("Written meanwhile");
    second = await world.secondInstance();
    await view.untilSent("Written meanwhile");
    const { items } = (await bob.get(`/api/rooms/${room}/messages`)).body;
    expect(items.at(-1).content).toBe("Written meanwhile");
  });

  test("signs out, and Back shows nothing of who was there, without a network too", async () => {
    await show("/rooms/fireside", "fireside");
    await view.read("Written meanwhile");
    await show("/profile/account", "Account");
    await view.click({ role: "button", name: "Sign out" });
    await view.see({ role: "heading", name: "Sign in" });
    expect(await view.errors()).toEqual([]);
    await second.stop();
    await view.run(() => history.back());
    await Bun.sleep(1_000);
    // The page from before is hidden, and then loaded again, which may take longer.
    const shown = () => (document.body.hidden ? "" : document.body.textContent);
    expect(await view.run(shown)).not.toContain("Written meanwhile");
  });
}
