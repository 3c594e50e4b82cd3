import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { writeBundle } from "../support/bundle.ts";
import { Client, expectProblem } from "../support/client.ts";
import { freshDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";

const TIMEOUT = 40_000;
const PASSWORD = "a good password";

let home: string;
let env: { DATA_DIR: string };
const started: Running[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug start "));
  env = { DATA_DIR: join(home, "my data") };
});
afterAll(async () => {
  for (const { process } of started) if (process.exitCode === null) process.kill("SIGKILL");
  await Promise.all(started.map(({ process }) => process.exited));
  // Also after a failure: nothing keeps running.
  await (await startEmbedded(env.DATA_DIR)).release();
  await rm(home, { recursive: true });
}, TIMEOUT);

async function start(more: Record<string, string> = {}): Promise<Running> {
  const running = await Running.start({ ...env, ...more });
  started.push(running);
  return running;
}

const tokenOf = (link: string) => link.split("#token=")[1] ?? "no token";
const check = (running: Running, token: string) =>
  new Client(running.address).post("/api/signup/check", { token });
const postmasterRuns = () => existsSync(join(env.DATA_DIR, "postgres/cluster/postmaster.pid"));

/** Signs in over HTTP. */
async function login(running: Running, username: string, password: string): Promise<Client> {
  const answer = await new Client(running.address).post("/api/auth/login", { username, password });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return new Client(running.address, cookie, answer.body);
}

test(
  "a start warns of a contact of pushes that Apple refuses",
  async () => {
    const target = { DATABASE_URL: urlOf(await freshDatabase()) };
    const running = await start({ ...target, BASE_URL: "https://chat.local" });
    await running.until(
      /Apple refuses pushes whose contact is https:\/\/chat\.local: set VAPID_SUBJECT/,
    );
    expect(await running.stop()).toBe(0);
  },
  TIMEOUT,
);

describe("a service with its own PostgreSQL, in a folder with blanks in its name", () => {
  test(
    "prints its address, and the first administrator's link while there is no account",
    async () => {
      const first = await start();
      expect((await new Client(first.address).get("/readyz")).status).toBe(200);
      expect(first.signupLink).toStartWith(`${first.address}/signup#token=`);
      expect(first.output.match(/Snug is ready/g)).toHaveLength(1);
      expect((await stat(join(env.DATA_DIR, "secret.key"))).mode & 0o777).toBe(0o600);
      const earlier = tokenOf(first.signupLink);
      expect((await check(first, earlier)).body).toEqual({ email: null, kind: "first" });
      expect(await first.stop()).toBe(0);

      const second = await start();
      expect((await check(second, tokenOf(second.signupLink))).status).toBe(200);
      expectProblem(await check(second, earlier), 404, "link_not_found");
      await second.stop();
    },
    TIMEOUT,
  );

  test(
    "takes accounts from the command line beside it; the link dies, and is printed no more",
    async () => {
      const running = await start();
      const args = "user create ada --email ada@example.org --admin --password-stdin --json";
      const result = await Running.cli(args.split(" "), env, PASSWORD);
      expect(result).toMatchObject({ status: 0, err: "" });
      expectProblem(await check(running, tokenOf(running.signupLink)), 404, "link_not_found");
      const ada = await login(running, "ada", PASSWORD);
      expect((await ada.get("/api/auth/me")).body.id).toBe(JSON.parse(result.out).id);

      const socket = await ada.socket();
      const set = await Running.cli(["user", "set-password", "ada", "--json"], env);
      expect((await socket.closing()).code).toBe(4401);
      expect((await ada.get("/api/auth/me")).status).toBe(401);
      await login(running, "ada", JSON.parse(set.out).password);
      expect((await Running.cli(["doctor"], env)).status).toBe(0);
      await running.stop();

      const again = await start();
      expect(again.signupLink).toBe("");
      expect(again.output).not.toContain("token=");
      await again.stop();
    },
    TIMEOUT,
  );

  test(
    "takes accounts from the command line without it, and stops PostgreSQL after each command",
    async () => {
      const args = "user create bob --email bob@example.org --password-stdin";
      expect(await Running.cli(args.split(" "), env, PASSWORD)).toMatchObject({
        status: 0,
        err: "",
      });
      expect(postmasterRuns()).toBe(false);
      const running = await start();
      await login(running, "bob", PASSWORD);
      await running.stop();
    },
    TIMEOUT,
  );

  test.each(["SIGTERM", "SIGINT"] as const)(
    "on %s closes sockets with 1012, ends with 0 and stops PostgreSQL",
    async (signal) => {
      const running = await start();
      const bob = await login(running, "bob", PASSWORD);
      const socket = await bob.socket();
      expect(postmasterRuns()).toBe(true);
      running.process.kill(signal);
      expect((await socket.closing()).code).toBe(1012);
      expect(await running.process.exited).toBe(0);
      expect(postmasterRuns()).toBe(false);
      await expect(bob.get("/healthz")).rejects.toThrow();
    },
    TIMEOUT,
  );
});

describe("a start that cannot be", () => {
  /** Starts, and must end with 1 and one line. */
  async function refusal(more: Record<string, string>): Promise<string> {
    const DATABASE_URL = urlOf(await freshDatabase());
    const running = Running.spawn({ DATABASE_URL, ...env, ...more }, await writeBundle());
    started.push(running);
    const status = await running.process.exited;
    const out = running.output;
    expect([status, out.match(/\n/g)?.length]).toEqual([1, 1]);
    expect(out).not.toMatch(/[.!?] [A-Z]/);
    return out;
  }

  test("names the port that is in use, and how to set another", async () => {
    using taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const said = await refusal({ PORT: String(taken.port), HOST: "127.0.0.1" });
    expect(said).toStartWith(`Port ${taken.port} on 127.0.0.1 is in use`);
    expect(said).toContain("PORT");
  });

  test.each([
    ["PORT", "http"],
    ["HOST", "999.1.1.1"],
    ["HOST", "192.0.2.1"],
    ["BASE_URL", "chat.example.org"],
    ["DATABASE_URL", "mysql://snug:hunter2@localhost/snug"],
    ["SECRET_KEY", "hunter2"],
    ["DATA_DIR", "/dev/null/data"],
  ])("names the bad variable %s=%s", async (name, value) => {
    const said = await refusal({ [name]: value });
    expect(said).toContain(name);
    expect(said).not.toContain("hunter2");
  });
});
