import { existsSync } from "node:fs";
import chromiumFromNpm from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** The system's browser where there is one, else the one that comes from npm. */
const SYSTEM = ["/usr/bin/chromium", "/usr/bin/google-chrome"];

/** @param more further flags of Chromium */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  const system = SYSTEM.find((path) => existsSync(path));
  const executablePath = system ?? (await chromiumFromNpm.executablePath());
  return chromium.launch({ executablePath, args: [...ARGS, ...more], headless: true });
}

export const WIDE = { viewport: { width: 1280, height: 800 } };
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/** What a page complained about: a test of a page fails on it. */
export function complaints(page: Page): string[] {
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("console", (message) => {
    // The browser itself logs every answer of 400 and up, expected ones too.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      said.push(message.text());
    }
  });
  return said;
}

/** A browser of one's own: cookies and storage are not shared. */
export async function newPage(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = WIDE,
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  // A worker is part of what a test is about, or it only gets between: it says so.
  const context = await browser.newContext({
    locale: "en-GB",
    serviceWorkers: "block",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return { page, context, complaints: complaints(page) };
}
