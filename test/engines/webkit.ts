import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { Builder, Button, Capabilities, Key, Origin, type WebDriver } from "selenium-webdriver";
import { findFreePort } from "../support/ports.ts";
import { type KeyName, readPageScript, View, type ViewOptions } from "./view.ts";

export const WEBKIT_DRIVER = "/usr/bin/WebKitWebDriver";
const WINDOW = join(import.meta.dir, "webkit-window.py");

const KEYS: Record<KeyName, string> = {
  ArrowUp: Key.ARROW_UP,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Tab: Key.TAB,
  s: "s",
};

type Wheel = {
  scroll(x: number, y: number, deltaX: number, deltaY: number, origin: Origin): Wheel;
  perform(): Promise<void>;
};

type Processes = {
  display: Subprocess;
  driver: Subprocess;
  folder: string;
  displayName: string;
  port: number;
};

/** WebKitGTK by WebKitWebDriver, in a window on a display of its own. */
export class WebKitView extends View {
  readonly engine = "WebKit";

  private constructor(
    private readonly processes: Processes,
    private readonly driver: WebDriver,
    private readonly options: ViewOptions,
  ) {
    super();
  }

  static async open(options: ViewOptions): Promise<WebKitView> {
    const { width, height } = options;
    const processes = await startProcesses();
    try {
      const { folder, port } = processes;
      const script = join(folder, "page.js");
      await Bun.write(script, await readPageScript());
      await untilListening(port);
      const args = [width, height, join(folder, "profile"), script].map(String);
      const capabilities = new Capabilities({
        browserName: "MiniBrowser",
        "webkitgtk:browserOptions": { binary: WINDOW, args },
      });
      const session = await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities(capabilities)
        .build();
      await session.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 });
      const view = new WebKitView(processes, session, options);
      await view.#focus();
      return view;
    } catch (error) {
      await endProcesses(processes);
      throw error;
    }
  }

  /** Without a window manager nobody gives the window the focus. */
  async #focus(): Promise<void> {
    const env = { ...process.env, DISPLAY: this.processes.displayName };
    const find = ["search", "--sync", "--onlyvisible", "--name", "Snug in WebKit", "windowfocus"];
    await Bun.$`xdotool ${find}`.env(env).quiet();
  }

  async load(url: string): Promise<void> {
    await this.driver.get(url);
  }

  protected async evaluate(expression: string): Promise<unknown> {
    const { value, error } = (await this.driver.executeAsyncScript(`
      const done = arguments[arguments.length - 1];
      (async () => ${expression})().then(
        (value) => done({ value: value === undefined ? null : value }),
        (error) => done({ error: String(error) }),
      );
    `)) as { value?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  }

  protected async clickAt(x: number, y: number): Promise<void> {
    const at = { x, y, origin: Origin.VIEWPORT };
    const actions = this.driver.actions({ async: true }).move(at);
    await actions.press(Button.LEFT).release(Button.LEFT).perform();
  }

  protected async wheelAt(x: number, y: number, deltaY: number): Promise<void> {
    // The types of the package are older than its wheel.
    const actions = this.driver.actions() as ReturnType<WebDriver["actions"]> & Wheel;
    await actions.scroll(x, y, 0, deltaY, Origin.VIEWPORT).perform();
  }

  async press(key: KeyName): Promise<void> {
    await this.type(KEYS[key]);
  }

  async type(text: string): Promise<void> {
    await this.driver.actions().sendKeys(text).perform();
  }

  /** The driver's own screenshot never comes once someone is signed in: this takes the display's. */
  async screenshot(path: string): Promise<void> {
    const { width, height } = this.options;
    const env = { ...process.env, DISPLAY: this.processes.displayName };
    await Bun.$`import -window root -crop ${`${width}x${height}+0+0`} ${path}`.env(env).quiet();
  }

  async close(): Promise<void> {
    // Its answer is an error: the window has gone with the session.
    await this.driver.quit().catch(() => {});
    await endProcesses(this.processes);
  }
}

/** Starts a display and a driver on it. */
async function startProcesses(): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), "snug-webkit-"));
  const { display, displayName } = await startDisplay();
  const port = findFreePort();
  const driver = Bun.spawn([WEBKIT_DRIVER, `--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: displayName,
      HOME: folder,
      // Root has no user namespaces to put the page's process into.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      LANG: "en_GB.UTF-8",
    },
    stdout: "ignore",
    stderr: "ignore",
  });
  return { display, driver, folder, displayName, port };
}

async function endProcesses({ driver, display, folder }: Processes): Promise<void> {
  for (const child of [driver, display]) {
    child.kill();
    await child.exited;
  }
  await rm(folder, { recursive: true });
}

/** Starts a display without a screen, under a name that is free. */
async function startDisplay(): Promise<{ display: Subprocess; displayName: string }> {
  const display = Bun.spawn(
    ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
    { stdout: "pipe", stderr: "ignore" },
  );
  let written = "";
  // It writes its number, then the end of the line, and does not survive a closed pipe in between.
  for await (const chunk of display.stdout) {
    written += new TextDecoder().decode(chunk);
    if (written.includes("\n")) return { display, displayName: `:${written.trim()}` };
  }
  throw new Error("Xvfb did not start.");
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await Bun.sleep(25);
  }
  throw new Error("WebKitWebDriver did not listen within 5 s.");
}
