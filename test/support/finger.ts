import type { CDPSession, Locator, Page } from "playwright-core";

type Point = { x: number; y: number };
const STEP_MS = 100;
const STEPS = 4;
/** A clock cannot be paused in the past, and a busy machine may need seconds between two calls. */
const PAUSE_AHEAD_MS = 10_000;
const TWO_FRAMES = 34;
const MAX_LOOKS = 100;
/** From here on neither the page nor the browser takes a touch for a long press, in px. */
const CLEAR_OF_HOLD = 20;

/** One finger on a page whose clock is the test's (`page.clock.install()`). */
export class Finger {
  #at: Point = { x: 0, y: 0 };

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(page, await page.context().newCDPSession(page));
  }

  /** Comes down, in the middle of an element or at a point. */
  async down(where: Locator | Point): Promise<void> {
    this.#at = await this.#find(where);
    await this.#send("touchStart", [this.#at]);
  }

  /**
   * Comes down and moves by so many px, slowly but for the beginning: on a busy machine a finger that
   * stays for one step has stayed for half a second.
   */
  async pull(
    where: Locator | Point,
    { x = 0, y = 0 }: Partial<Point>,
    steps = STEPS,
  ): Promise<void> {
    const from = await this.#find(where);
    const first = Math.min(1, Math.max(1 / steps, CLEAR_OF_HOLD / Math.hypot(x, y)));
    this.#at = { x: from.x + first * x, y: from.y + first * y };
    // Sent together: the answer to the first comes when the page has handled it.
    await Promise.all([this.#send("touchStart", [from]), this.#send("touchMove", [this.#at])]);
    await this.#frames();
    await this.move({ x: x * (1 - first), y: y * (1 - first) }, steps - 1);
  }

  /** Moves on by so many px, slowly. */
  async move({ x = 0, y = 0 }: Partial<Point>, steps = STEPS): Promise<void> {
    for (let i = 0; i < steps; i++) {
      await this.page.clock.runFor(STEP_MS);
      this.#at = { x: this.#at.x + x / steps, y: this.#at.y + y / steps };
      await this.#send("touchMove", [this.#at]);
      await this.#frames();
    }
  }

  /** Comes down, moves and goes up in no time. */
  async flick(from: Point, { x = 0, y = 0 }: Partial<Point>): Promise<void> {
    const now = await this.page.evaluate(() => Date.now());
    await this.page.clock.pauseAt(now + PAUSE_AHEAD_MS);
    await this.down(from);
    await this.#send("touchMove", [{ x: from.x + x, y: from.y + y }]);
    await this.#frames();
    await this.up();
    await this.#frames();
    await this.page.clock.resume();
  }

  /** The middle of an element once it rests: rows that grow move others a frame later. */
  async #find(where: Locator | Point): Promise<Point> {
    if ("x" in where) return where;
    let known = "";
    for (let n = 0; n < MAX_LOOKS; n++) {
      const box = await where.boundingBox();
      if (box && known === JSON.stringify(box)) {
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      known = JSON.stringify(box);
      await this.#frames();
    }
    throw new Error("There is nothing that rests and can be touched.");
  }

  /** A page hears of moves once a frame. Of the clocks in it this one is not the test's. */
  async #frames(): Promise<void> {
    const wait = (ms: number) => document.body.animate([], ms).finished.then(() => {});
    await this.page.evaluate(wait, TWO_FRAMES);
  }

  async up(): Promise<void> {
    await this.#send("touchEnd", []);
  }

  async #send(type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]): Promise<void> {
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
}
