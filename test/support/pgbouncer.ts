import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PooledTarget, Target } from "../../src/database/target.ts";
import { urlOf } from "./database.ts";
import { findFreePort } from "./ports.ts";
import { eventually } from "./wait.ts";

export const hasPgBouncer = Bun.which("pgbouncer") !== null;

/** A real PgBouncer, which gives connections for one transaction at a time. */
export class PgBouncer {
  #process: Bun.Subprocess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly bridge: Server,
    /** Where the database is found through it. */
    readonly target: PooledTarget,
  ) {}

  static async start(target: Target & object): Promise<PgBouncer> {
    const { host, port, username, database } = target as Record<string, string>;
    const folder = await mkdtemp(join(tmpdir(), "snug-pgbouncer-"));
    const own = findFreePort();
    // Its user may not enter the folder of the cluster's socket.
    const bridge = openBridge(join(String(host), `.s.PGSQL.${port}`));
    await new Promise<void>((resolve) => bridge.listen(0, "127.0.0.1", resolve));
    const { port: bridged } = bridge.address() as AddressInfo;
    const settings = `[databases]
snug = host=127.0.0.1 port=${bridged} dbname=${database} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
server_login_retry = 0
`;
    await writeFile(join(folder, "pgbouncer.ini"), settings);
    const pooler = `postgres://snug@127.0.0.1:${own}/snug`;
    // Debian's 1.18 does not know of prepared statements.
    const pooled = { pooler, direct: urlOf(target), prepares: false };
    const bouncer = new PgBouncer(folder, own, bridge, pooled);
    await bouncer.open();
    return bouncer;
  }

  async open(): Promise<void> {
    // It refuses to run as root, and drops to another user by itself.
    const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    await Bun.spawn(["chmod", "-R", "a+rX", this.folder]).exited;
    const command = ["pgbouncer", "-q", ...user, join(this.folder, "pgbouncer.ini")];
    this.#process = Bun.spawn(command, { stdout: "ignore", stderr: "inherit" });
    await eventually(async () => {
      if (this.#process?.exitCode !== null) throw new Error("PgBouncer did not start.");
      return this.#accepts();
    });
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
  }

  async close(): Promise<void> {
    await this.kill();
    this.bridge.close();
    await rm(this.folder, { recursive: true });
  }

  async #accepts(): Promise<boolean> {
    try {
      const socket = await Bun.connect({
        hostname: "127.0.0.1",
        port: this.port,
        socket: { data() {} },
      });
      socket.end();
      return true;
    } catch {
      return false;
    }
  }
}

/** Passes TCP connections on to a unix socket. */
function openBridge(path: string): Server {
  return createServer((near) => {
    const far = createConnection(path);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
}
