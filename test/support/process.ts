import { join } from "node:path";
import type { Subprocess } from "bun";
import { writeBundle } from "./bundle.ts";
import { isFirstInRun } from "./first.ts";

const ROOT = join(import.meta.dir, "../..");
const PATIENCE_MS = 30_000;

type Env = Record<string, string>;

/** A service in a process of its own, as an operator starts it. */
export class Running {
  #output = "";
  #wake: () => void = () => {};

  private constructor(readonly process: Subprocess<"ignore", "pipe", "pipe">) {
    for (const stream of [process.stdout, process.stderr]) void this.#collect(stream);
    void process.exited.then(() => this.#wake());
  }

  /**
   * Starts it and does not wait.
   * @param client a folder of `writeBundle`, so that it does not bundle the client itself
   */
  static spawn(env: Env, client?: string): Running {
    const preload = client === undefined ? [] : ["--preload", "./test/support/bundled.ts"];
    return new Running(
      Bun.spawn([process.execPath, ...preload, "src/main.ts"], {
        cwd: ROOT,
        env: { ...process.env, PORT: "0", LOG_FORMAT: "json", TEST_CLIENT: client, ...env },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      }),
    );
  }

  /** Starts it and waits until it is ready. Of a run's processes the first bundles the client. */
  static async start(env: Env): Promise<Running> {
    const client = isFirstInRun("start") ? undefined : await writeBundle();
    const running = Running.spawn(env, client);
    await running.until(/Snug is ready at/);
    return running;
  }

  /** Runs one command to its end. */
  static async cli(args: string[], env: Env, stdin = ""): Promise<Finished> {
    const child = Bun.spawn([process.execPath, "cli.ts", ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { status, out, err };
  }

  /** All that it has printed. */
  get output(): string {
    return this.#output;
  }

  /** The address that it says it is ready at. */
  get address(): string {
    return /Snug is ready at (http:\/\/[^\s"]+)/.exec(this.#output)?.[1] ?? "";
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  /** The first administrator's link, if it printed one. */
  get signupLink(): string {
    return /https?:\/\/\S+\/signup#token=\S+/.exec(this.#output)?.[0] ?? "";
  }

  /** Waits until it has printed something; fails when it ends before. */
  async until(pattern: RegExp): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!pattern.test(this.#output)) {
      const left = deadline - Date.now();
      if (this.process.exitCode !== null || left <= 0) {
        throw new Error(`no ${pattern} in what it printed:\n${this.#output}`);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
  }

  /** SIGTERM. @returns the exit status */
  stop(): Promise<number> {
    this.process.kill("SIGTERM");
    return this.process.exited;
  }

  /** SIGKILL: nothing can be put in order any more. */
  kill(): Promise<number> {
    this.process.kill("SIGKILL");
    return this.process.exited;
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#output += decoder.decode(chunk, { stream: true });
      this.#wake();
    }
  }
}

export type Finished = { status: number; out: string; err: string };
