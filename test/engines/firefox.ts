import puppeteer, { type Browser, type BrowserContext, type Page } from "puppeteer-core";
import { type KeyName, readPageScript, View, type ViewOptions } from "./view.ts";

export const FIREFOX = "/usr/bin/firefox-esr";

/** A start of Firefox takes four seconds of CPU: views without preferences of their own share one. */
let shared: Promise<Browser> | undefined;

/** Firefox over WebDriver BiDi, headless. Each view has cookies and storage of its own. */
export class FirefoxView extends View {
  readonly engine = "Firefox";

  private constructor(
    private readonly owner: Browser | BrowserContext,
    private readonly page: Page,
  ) {
    super();
  }

  /** @param preferences of `about:config`, for a browser of the view's own */
  static async open(
    { width, height }: ViewOptions,
    preferences?: Record<string, unknown>,
  ): Promise<FirefoxView> {
    let owner: Browser | BrowserContext;
    if (preferences) owner = await launch(preferences);
    else {
      shared ??= launch({});
      owner = await (await shared).createBrowserContext();
    }
    const page = await owner.newPage();
    await page.setViewport({ width, height });
    await page.evaluateOnNewDocument(await readPageScript());
    return new FirefoxView(owner, page);
  }

  static async closeShared(): Promise<void> {
    await (await shared)?.close();
    shared = undefined;
  }

  async load(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: "domcontentloaded" });
  }

  protected evaluate(expression: string): Promise<unknown> {
    return this.page.evaluate(expression);
  }

  protected async clickAt(x: number, y: number): Promise<void> {
    await this.page.mouse.click(x, y);
  }

  protected async wheelAt(x: number, y: number, deltaY: number): Promise<void> {
    await this.page.mouse.move(x, y);
    await this.page.mouse.wheel({ deltaY });
  }

  async press(key: KeyName): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path: path as `${string}.png` });
  }

  async close(): Promise<void> {
    await this.owner.close();
  }
}

function launch(preferences: Record<string, unknown>): Promise<Browser> {
  return puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: {
      "intl.accept_languages": "en-GB",
      // A mouse: the machine of the test may have none. 2 is a fine pointer, 4 one that hovers.
      "ui.primaryPointerCapabilities": 6,
      "ui.allPointerCapabilities": 6,
      // A view lives for seconds: no processes are started ahead, and no code is compiled to run for long.
      "dom.ipc.processPrelaunch.enabled": false,
      "javascript.options.ion": false,
      ...preferences,
    },
  });
}
