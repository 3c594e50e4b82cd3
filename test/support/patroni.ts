import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { findFreePort } from "./ports.ts";

const BINARIES = [...new Bun.Glob("/usr/lib/postgresql/*/bin").scanSync({ onlyFiles: false })].at(
  -1,
);

/** Debian's `patroni` and `etcd-server`, and a PostgreSQL. */
export const hasPatroni =
  ["patroni", "patronictl", "etcd"].every((name) => Bun.which(name)) && BINARIES;

type Node = {
  name: string;
  port: number;
  rest: number;
  config: string;
  process: Subprocess | null;
};

/** Two PostgreSQLs that Patroni keeps, one synchronously behind the other, by a real etcd. */
export class Patroni {
  #etcd: Subprocess | null = null;
  private constructor(
    private readonly folder: string,
    private readonly nodes: Node[],
  ) {}

  static async start(): Promise<Patroni> {
    const folder = await mkdtemp(join(tmpdir(), "snug-patroni-"));
    const [client, peer] = [findFreePort(), findFreePort()];
    const nodes: Node[] = ["one", "two"].map((name) => ({
      name,
      port: findFreePort(),
      rest: findFreePort(),
      config: join(folder, `${name}.json`),
      process: null,
    }));
    const patroni = new Patroni(folder, nodes);
    await mkdir(join(folder, "etcd"), { mode: 0o700 });
    for (const node of nodes) {
      // JSON is YAML.
      await writeFile(node.config, JSON.stringify(configOf(node, folder, client), null, 1));
      await mkdir(join(folder, `${node.name}-socket`));
    }
    // PostgreSQL does not run as root.
    if (process.getuid?.() === 0) await Bun.$`chown -R nobody ${folder}`;
    await chmod(folder, 0o755);
    const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    patroni.#etcd = patroni.#spawn([
      ...["etcd", "--data-dir", join(folder, "etcd"), "--logger", "zap"],
      ...["--listen-client-urls", clients, "--advertise-client-urls", clients],
      ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers],
      ...["--initial-cluster", `default=${peers}`],
    ]);
    for (const node of nodes) node.process = patroni.#spawn(["patroni", node.config]);
    await patroni.#untilReady();
    return patroni;
  }

  /** Of both nodes: which one is the primary changes. */
  url(database: string): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
    return `postgres://postgres@${hosts}/${database}`;
  }

  /** As an operator does before work on a machine. */
  async switchOver(): Promise<void> {
    const leader = await this.#leader();
    await Bun.$`patronictl -c ${leader.config} switchover --force`.quiet();
  }

  /** As when the power of its machine fails: nothing is put in order. */
  async killLeader(): Promise<void> {
    // Before that, nobody may follow it: what only it has acknowledged would be lost.
    await this.#untilReady();
    const leader = await this.#leader();
    leader.process?.kill("SIGKILL");
    const pid = (await Bun.file(join(this.folder, leader.name, "postmaster.pid")).text()).split(
      "\n",
    )[0];
    const group = await Bun.$`pgrep -P ${pid}`.nothrow().quiet().text();
    for (const processId of [pid, ...group.split("\n").filter(Boolean)])
      signal(Number(processId), "SIGKILL");
    await leader.process?.exited;
  }

  async close(): Promise<void> {
    for (const { process } of this.nodes) process?.kill("SIGTERM");
    await Promise.all(this.nodes.map(({ process }) => process?.exited));
    for (const { name } of this.nodes) {
      const pid = await Bun.file(join(this.folder, name, "postmaster.pid"))
        .text()
        .catch(() => "");
      if (pid) signal(Number(pid.split("\n")[0]), "SIGQUIT");
    }
    this.#etcd?.kill("SIGTERM");
    await this.#etcd?.exited;
    await rm(this.folder, { recursive: true, force: true });
  }

  async #leader(): Promise<Node> {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      for (const node of this.nodes) {
        const answer = await fetch(`http://127.0.0.1:${node.rest}/primary`).catch(() => null);
        if (answer?.ok) return node;
      }
      await Bun.sleep(50);
    }
    throw new Error("No node leads within a minute.");
  }

  /** One leads, the other follows it synchronously. */
  async #untilReady(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      for (const { name, rest, process } of this.nodes) {
        if (process?.exitCode !== null) throw new Error(await this.#log(name));
        const answer = await fetch(`http://127.0.0.1:${rest}/sync`).catch(() => null);
        if (answer?.ok) return;
        if (Date.now() > deadline) throw new Error(await this.#log(name));
      }
      await Bun.sleep(100);
    }
  }

  #log(name: string): Promise<string> {
    return Bun.file(join(this.folder, `${name}.log`)).text();
  }

  #spawn(command: string[]): Subprocess {
    const isRoot = process.getuid?.() === 0;
    const rights = isRoot ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : [];
    const name =
      command[0] === "patroni" ? command[1]?.replace(/\.json$/, "") : join(this.folder, "etcd");
    const log = Bun.file(`${name}.log`);
    return Bun.spawn([...rights, ...command], {
      cwd: this.folder,
      env: { PATH: "/usr/bin:/bin", HOME: this.folder, LC_ALL: "C.UTF-8" },
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
  }
}

/** To a process that may have ended. */
function signal(pid: number, name: "SIGKILL" | "SIGQUIT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Patroni's own limits: a leader that is gone is noticed after `ttl`, 20 seconds at the least. */
function configOf({ name, port, rest }: Node, folder: string, etcd: number) {
  const local = ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"];
  const parameters = {
    max_connections: 60,
    unix_socket_directories: join(folder, `${name}-socket`),
  };
  return {
    scope: "snug",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: local,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: BINARIES,
      parameters,
      pg_hba: local,
      authentication: {
        superuser: { username: "postgres" },
        replication: { username: "replicator" },
        rewind: { username: "rewind" },
      },
    },
  };
}
