import { type ChildProcess, spawn } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { type Account, chooseAccount } from "../../src/embedded-postgres/account.ts";
import { type Binaries, prepareBinaries } from "../../src/embedded-postgres/binaries.ts";
import { findFreePort } from "./ports.ts";

/** A PostgreSQL of its own on a port of this machine, which can be killed, followed and promoted. */
export class PostgresServer {
  readonly port = findFreePort();
  readonly #data: string;
  #process: ChildProcess | null = null;
  #sql: Sql | null = null;

  private constructor(
    private readonly home: string,
    private readonly account: Account,
    private readonly binaries: Binaries,
    private readonly settings: string[],
  ) {
    this.#data = join(home, "data");
  }

  /**
   * Makes an empty one and starts it.
   * @param binaries of another version than the installed one
   */
  static async start(settings: string[] = [], binaries?: Binaries): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(settings, binaries);
    const locale = ["--locale=C.UTF-8", "--encoding=UTF8"];
    const options = ["-D", server.#data, "-U", "snug", "--auth=trust", "--no-sync", ...locale];
    await server.#run(server.binaries.initdb, options);
    await server.#open();
    await server.sql`create database snug`.simple();
    return server;
  }

  static async #prepare(settings: string[], binaries?: Binaries): Promise<PostgresServer> {
    const home = await mkdtemp(join(tmpdir(), "snug-server-"));
    const account = chooseAccount([], home);
    const programs = binaries ?? (await prepareBinaries(account, home, () => {}));
    if (account.isSwitched) await chown(home, account.uid, account.gid);
    return new PostgresServer(home, account, programs, settings);
  }

  get sql(): Sql {
    const url = `postgres://snug@127.0.0.1:${this.port}/postgres`;
    this.#sql ??= postgres(url, { max: 1, onnotice: () => {} });
    return this.#sql;
  }

  /** A copy that follows this one, made while it runs (PostgreSQL 18, 25.3.3). */
  async follow(): Promise<PostgresServer> {
    const standby = await PostgresServer.#prepare(["synchronous_standby_names="]);
    await this.sql`select pg_backup_start('standby', fast => true)`;
    await mkdir(standby.#data, { mode: 0o700 });
    await Bun.$`cp -a ${this.#data}/. ${standby.#data}`.quiet();
    const [stop] = await this.sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`;
    await rm(join(standby.#data, "postmaster.pid"), { force: true });
    const conninfo = `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=snug'\n`;
    const files = {
      backup_label: stop?.labelfile ?? "",
      "standby.signal": "",
      "postgresql.auto.conf": conninfo,
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(standby.#data, name);
      await writeFile(path, text);
      await chmod(path, 0o600);
      if (this.account.isSwitched) await chown(path, this.account.uid, this.account.gid);
    }
    await chmod(standby.#data, 0o700);
    if (this.account.isSwitched) await chown(standby.#data, this.account.uid, this.account.gid);
    await standby.#open();
    return standby;
  }

  async promote(): Promise<void> {
    await this.sql`select pg_promote()`;
  }

  /** As when the power of its machine fails. */
  async kill(): Promise<void> {
    await this.#sql?.end({ timeout: 0 });
    this.#sql = null;
    const process = this.#process;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const ended = new Promise((resolve) => process.once("close", resolve));
    process.kill("SIGQUIT");
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.home, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    const settings = [
      ...["listen_addresses=127.0.0.1", "unix_socket_directories=", `port=${this.port}`],
      ...["max_connections=60", "hot_standby=on"],
      ...this.settings,
    ];
    const options = ["-D", this.#data, ...settings.flatMap((setting) => ["-c", setting])];
    this.#process = this.#spawn(this.binaries.postgres, options);
    const deadline = performance.now() + 60_000;
    for (;;) {
      try {
        await this.sql`select 1`;
        return;
      } catch (error) {
        if (this.#process.exitCode !== null || performance.now() > deadline) throw error;
      }
    }
  }

  async #run(program: string, options: string[]): Promise<void> {
    const child = this.#spawn(program, options);
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  }

  #spawn(program: string, options: string[]): ChildProcess {
    const { isSwitched: switched, uid, gid } = this.account;
    return spawn(program, options, {
      cwd: this.home,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      stdio: "ignore",
      ...(switched ? { uid, gid } : {}),
    });
  }
}
