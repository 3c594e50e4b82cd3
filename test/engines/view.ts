import { join } from "node:path";
import { PASSWORD } from "../support/world.ts";
import type { Box, InPage, Target } from "./in-page.ts";

declare const inPage: InPage;

export type KeyName = "ArrowUp" | "Enter" | "Escape" | "Tab" | "s";
export type ViewOptions = { width: number; height: number };

/** How long a page may take for what it is about to do, in milliseconds. */
const LIMIT_MS = 15_000;

/** One window of a browser, the same for each engine. */
export abstract class View {
  abstract readonly engine: "Firefox" | "WebKit";

  /** Loads an address, as if someone had typed it. */
  abstract load(url: string): Promise<void>;
  /** @param expression may be a promise; its value must survive JSON */
  protected abstract evaluate(expression: string): Promise<unknown>;
  /** Clicks at a point of the window. */
  protected abstract clickAt(x: number, y: number): Promise<void>;
  /** Turns the wheel at a point of the window. */
  protected abstract wheelAt(x: number, y: number, deltaY: number): Promise<void>;
  /** Presses a key, by its name in `KeyboardEvent.key`. */
  abstract press(key: KeyName): Promise<void>;
  /** Types into what has the focus. */
  abstract type(text: string): Promise<void>;
  /** Writes what is seen to a PNG file. */
  abstract screenshot(path: string): Promise<void>;
  abstract close(): Promise<void>;

  /** Runs a function in the page. It sees nothing from outside of it but `inPage`. */
  async run<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return (await this.evaluate(call(work, args))) as Awaited<Result>;
  }

  /** Waits until a function in the page returns something true. @throws an error that says what was waited for */
  async until<Args extends unknown[], Result>(
    what: string,
    holds: (...args: Args) => Result,
    ...args: Args
  ): Promise<NonNullable<Result>> {
    const value = await this.evaluate(`inPage.until(() => ${call(holds, args)}, ${LIMIT_MS})`);
    return (value as Result) ?? this.#fail(what);
  }

  /** Fills in the form of the sign-in, which is shown, by keyboard. */
  async signIn(username: string): Promise<void> {
    await this.click({ role: "textbox", name: "Username or email" });
    await this.type(username);
    await this.press("Tab");
    await this.type(PASSWORD);
    await this.press("Enter");
  }

  /** Waits until a text is shown. */
  async read(text: string): Promise<void> {
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not read
    const isShown = (wanted: string) => document.body.innerText.includes(wanted);
    await this.until(`the text "${text}"`, isShown, text);
  }

  /** Waits until the service has acknowledged a message of this page. */
  async untilSent(text: string): Promise<void> {
    const isSent = (wanted: string) =>
      [...document.querySelectorAll("[data-state='sent']")].some((row) =>
        row.textContent?.includes(wanted),
      );
    await this.until(`"${text}" to be sent`, isSent, text);
  }

  /** Waits until an element is shown and rests. @returns where it is */
  async see(target: Target): Promise<Box> {
    const box = await this.run((it, ms) => inPage.boxAtRest(it, ms), target, LIMIT_MS);
    return box ?? this.#fail(JSON.stringify(target));
  }

  /** Waits until no such element is shown. */
  async miss(target: Target): Promise<void> {
    const isGone = (it: Target) => inPage.find(it).length === 0;
    await this.until(`the end of ${JSON.stringify(target)}`, isGone, target);
  }

  /** Clicks in the middle of an element once it is shown and rests. */
  async click(target: Target): Promise<void> {
    const { x, y, width, height } = await this.see(target);
    await this.clickAt(Math.round(x + width / 2), Math.round(y + height / 2));
  }

  /** Turns the wheel in the middle of an element, and waits until nothing scrolls any more. */
  async wheel(target: Target, deltaY: number): Promise<void> {
    const { x, y, width, height } = await this.see(target);
    await this.wheelAt(Math.round(x + width / 2), Math.round(y + height / 2), deltaY);
    // Firefox's driver answers before the list has scrolled.
    const rests = await this.run((it, ms) => inPage.scrollAtRest(it, ms), target, LIMIT_MS);
    if (!rests) await this.#fail("the end of a scroll");
  }

  /** What the page has complained about since it was loaded. */
  errors(): Promise<string[]> {
    return this.run(() => inPage.errors);
  }

  async #fail(what: string): Promise<never> {
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not read
    const result = await this.run(() => `${location.pathname}: ${document.body.innerText}`);
    throw new Error(
      `${this.engine} has waited for ${what}. It shows ${result.slice(0, 300)} … ${result.slice(-300)}`,
    );
  }
}

function call(work: (...args: never[]) => unknown, args: unknown[]): string {
  return `(${work})(...${JSON.stringify(args)})`;
}

let script: Promise<string> | undefined;

/** The script that each page gets before its own: `inPage`. */
export function readPageScript(): Promise<string> {
  script ??= Bun.build({
    entrypoints: [join(import.meta.dir, "in-page.ts")],
    format: "iife",
  }).then(({ outputs }) => outputs[0]?.text() ?? "");
  return script;
}
