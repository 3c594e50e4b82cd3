import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chown, cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { devDependencies } from "../../package.json";
import { launchBrowser, newPage } from "../support/browser.ts";
import { findFreePort } from "../support/ports.ts";

/*
 * The README's first command as someone runs it who has just got these files, on a machine with Node alone:
 * an empty home, an empty cache, and nothing on the PATH but Node, npm and a shell. It fetches all packages
 * again for each, so it is not part of the suite: `bun run try`.
 */
const ROOT = join(import.meta.dir, "../..");
/** What the README promises, and more than the whole way takes. */
const PATIENCE_MS = 180_000;
const NOBODY = 65_534;
const PASSWORD = "correct horse battery";
/** Debian's, whose programs must neither be used nor get in the way. */
const POSTGRESQL = [
  ...new Bun.Glob("*/bin").scanSync({ cwd: "/usr/lib/postgresql", onlyFiles: false }),
]
  .map((path) => join("/usr/lib/postgresql", path))
  .at(-1);
const isRoot = process.getuid?.() === 0;

const ACCOUNTS = isRoot ? ["root", "nobody"] : ["a user"];
const CASES = ACCOUNTS.flatMap((account) =>
  [null, POSTGRESQL ?? null]
    .filter((path, i) => i === 0 || path !== null)
    .map((path) => ({ account, path, beside: path ? "Debian's PostgreSQL" : "nothing else" })),
);

setDefaultTimeout(2 * PATIENCE_MS);

describe.skipIf(process.env.SNUG_TRY !== "1")("on a machine that has only Node", () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  const folders: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  /** The sources alone, as they are cloned. */
  async function makeMachine(owner: string): Promise<{ home: string; bin: string }> {
    const folder = await mkdtemp(join(tmpdir(), "snug-new-"));
    folders.push(folder);
    const [home, bin] = [join(folder, "home"), join(folder, "bin")];
    await mkdir(join(home, "snug"), { recursive: true });
    const listed = await Bun.$`git ls-files -co --exclude-standard -z`.cwd(ROOT).text();
    for (const name of listed.split("\0").filter(Boolean)) {
      if (await Bun.file(join(ROOT, name)).exists())
        await cp(join(ROOT, name), join(home, "snug", name));
    }
    await mkdir(bin);
    for (const name of ["node", "npm", "npx", "sh", "env"]) {
      const path = Bun.which(name);
      if (!path) throw new Error(`There is no ${name} here.`);
      // npm finds its parts beside the file that its link leads to.
      await symlink(await realpath(path), join(bin, name));
    }
    await Bun.$`chmod 755 ${folder}`;
    if (owner === "nobody") {
      await Bun.$`chown -R ${NOBODY}:${NOBODY} ${home}`;
      await chown(folder, NOBODY, NOBODY);
    }
    return { home, bin };
  }

  test.each(CASES)(
    "as $account, beside $beside, two people have talked within three minutes",
    async ({ account, path }) => {
      const [, command = ""] =
        /## Run it\n\n```sh\n(.+)\n```/.exec(await Bun.file(join(ROOT, "README.md")).text()) ?? [];
      expect(command).toMatch(/^npx -y bun@\S+ start$/);
      const { home, bin } = await makeMachine(account);
      const begun = performance.now();
      const since = () => ((performance.now() - begun) / 1_000).toFixed(1);
      const rights =
        account === "nobody"
          ? [
              Bun.which("setpriv") ?? "setpriv",
              `--reuid=${NOBODY}`,
              `--regid=${NOBODY}`,
              "--clear-groups",
            ]
          : [];
      const child = Bun.spawn([...rights, join(bin, "sh"), "-c", command], {
        cwd: join(home, "snug"),
        // The only thing that is not as in the README: a port that is free for sure.
        env: {
          HOME: home,
          PATH: [bin, ...(path ? [path] : [])].join(":"),
          PORT: String(findFreePort()),
          ...registry(),
        },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        // As a terminal does it: all that the command starts is one group.
        detached: true,
      });
      let out = "";
      const read = async (stream: ReadableStream<Uint8Array>) => {
        for await (const chunk of stream) out += new TextDecoder().decode(chunk);
      };
      const reading = Promise.all([read(child.stdout), read(child.stderr)]);
      try {
        let link: string | undefined;
        while (!link) {
          link = /http:\/\/\S+\/signup#token=[\w-]+/.exec(out)?.[0];
          if (child.exitCode !== null) throw new Error(`It ended: ${out}`);
          if (performance.now() - begun > PATIENCE_MS) throw new Error(`No link: ${out}`);
          await Bun.sleep(50);
        }
        const ready = since();
        // Only what a run needs was fetched, with the types that drizzle-orm asks for.
        const packages = await readdir(join(home, "snug/node_modules"));
        expect(packages).toContain("sharp");
        expect(packages.filter((name) => name in devDependencies)).toEqual(["bun-types"]);
        // No complaint is between the command and the link.
        expect(out).not.toMatch(/WARN|ERR|error|deprecated/);
        const [ada, bob] = [await newPage(browser), await newPage(browser)];
        const invitation = await setUp(ada.page, link);
        await signUp(bob.page, invitation, "bob");
        const say = bob.page.getByRole("textbox", { name: "Message #general" });
        await say.fill("Hello, Ada");
        await say.press("Enter");
        await ada.page.getByRole("log").getByText("Hello, Ada", { exact: true }).waitFor();
        const took = performance.now() - begun;
        process.stdout.write(
          `${account}: the link after ${ready} s, a message after ${since()} s\n`,
        );
        expect(took).toBeLessThan(PATIENCE_MS);
        await Promise.all([ada.context.close(), bob.context.close()]);
      } finally {
        // Ctrl and C.
        process.kill(-child.pid, "SIGINT");
        await child.exited;
      }
      await reading;
      expect(out).toContain("Stopping.");
      expect(await Bun.file(join(home, "snug/data/postgres/cluster/postmaster.pid")).exists()).toBe(
        false,
      );
    },
  );
});

/** Where this machine gets its packages from, if it is not npm itself. */
function registry(): Record<string, string> {
  const names =
    /^(?:https?_proxy|no_proxy|npm_config_registry|npm_config_cafile|node_extra_ca_certs|ssl_cert_file)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => names.test(name) && value),
  ) as Record<string, string>;
}

async function signUp(page: Page, link: string, username: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Email").fill(`${username}@example.org`);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}

/** The first steps, as the README names them. @returns the link for the others */
async function setUp(page: Page, link: string): Promise<string> {
  await signUp(page, link, "ada");
  await page.getByRole("heading", { name: "What is your team called?" }).waitFor();
  await page.getByLabel("Name of your team").fill("The Engine Room");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("heading", { name: "Add a picture of yourself" }).waitFor();
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await page.getByRole("heading", { name: "Create the first room" }).waitFor();
  await page.getByRole("button", { name: "Create room" }).click();
  await page.getByRole("heading", { name: "Invite your team" }).waitFor();
  const invitation = await page.getByLabel("Invite link for the team").inputValue();
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByRole("link", { name: "general" }).click();
  return invitation;
}
