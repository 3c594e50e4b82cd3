import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { type KeyName, readPageScript, View, type ViewOptions } from "./view.ts";

export const FIREFOX = "/usr/bin/firefox-esr";

/** Firefox over WebDriver BiDi, headless. Each view is a browser with a profile of its own. */
export class FirefoxView extends View {
  readonly engine = "Firefox";

  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {
    super();
  }

  /** @param preferences of `about:config` */
  static async open(
    { width, height, theme }: ViewOptions,
    preferences: Record<string, unknown> = {},
  ): Promise<FirefoxView> {
    const browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: FIREFOX,
      headless: true,
      defaultViewport: { width, height },
      extraPrefsFirefox: {
        "layout.css.prefers-color-scheme.content-override": theme === "dark" ? 0 : 1,
        "intl.accept_languages": "en-GB",
        // A mouse: the machine of the test may have none. 2 is a fine pointer, 4 one that hovers.
        "ui.primaryPointerCapabilities": 6,
        "ui.allPointerCapabilities": 6,
        ...preferences,
      },
    });
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(await readPageScript());
    return new FirefoxView(browser, page);
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
    await this.browser.close();
  }
}
