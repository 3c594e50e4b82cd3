/**
 * Takes the pictures of the README from the demo: `bun docs/pictures.ts`. Run it after a change of how the
 * client looks.
 */
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { launchBrowser, PHONE, WIDE } from "../test/support/browser.ts";
import { freshDatabase, urlOf } from "../test/support/database.ts";
import { Running } from "../test/support/process.ts";

type Picture = {
  name: string;
  path: string;
  theme: "light" | "dark" | "midnight" | "sunset";
  phone?: boolean;
  /** What is done before it is taken. */
  act?(page: Page): Promise<void>;
};

/** A thread beside its room. */
async function openThread(page: Page): Promise<void> {
  await page.locator(".fold").first().click();
  await page.getByText("You did not.").last().waitFor();
}

const PICTURES: Picture[] = [
  { name: "room-wide", path: "/rooms/engines", theme: "dark", act: openThread },
  { name: "room-light", path: "/rooms/engines", theme: "light", act: openThread },
];

const env = { DATABASE_URL: urlOf(await freshDatabase()) };
const service = await Running.start(env);
const { password } = JSON.parse((await Running.cli(["demo", "--json"], env)).out) as {
  password: string;
};
const browser = await launchBrowser();
for (const picture of PICTURES) {
  const context = await browser.newContext({
    locale: "en-GB",
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...(picture.phone ? PHONE : { ...WIDE, deviceScaleFactor: 2 }),
  });
  await signIn(context, picture);
  const page = await context.newPage();
  await page.goto(service.address + picture.path);
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
  await picture.act?.(page);
  await page.waitForLoadState("networkidle");
  const taken = await page.screenshot();
  // A palette is enough for flat colours, and a fifth of the size.
  const file = join(import.meta.dir, `${picture.name}.png`);
  await sharp(taken)
    .resize(picture.phone ? 780 : 1600)
    .png({ palette: true })
    .toFile(file);
  console.log(picture.name);
  await context.close();
}
await browser.close();
await service.stop();
process.exit(0);

async function signIn(context: BrowserContext, { theme }: Picture): Promise<void> {
  const data = { username: "ada", password };
  await context.request.post(`${service.address}/api/auth/login`, { data });
  await context.request.patch(`${service.address}/api/auth/me`, {
    data: { theme },
    headers: { origin: service.address },
  });
}
