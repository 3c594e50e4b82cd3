import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./ports.ts";

const ROOT = join(import.meta.dir, "../..");
const TLS = join(import.meta.dir, "tls");
const CERTIFICATE = join(TLS, "localhost.pem");
const KEY = join(TLS, "localhost.key.pem");

/** The name that the files of `deploy/proxy` serve. */
export const PUBLIC_ORIGIN = "https://chat.example.org";

export type ProxyName = "nginx" | "caddy" | "haproxy";

export function hasProxy(name: ProxyName): boolean {
  return Bun.which(name) !== null;
}

type Setup = {
  /** Keeps the proxy in the foreground. */
  run: string[];
  /** Reads the file again, as an operator does. */
  reload(pid: number): unknown;
  env?: Record<string, string>;
};

/** A real proxy with its file of `deploy/proxy`, in which only ports and places are replaced. */
export class ReverseProxy {
  #process: Bun.Subprocess | null = null;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly setup: Setup,
  ) {}

  /** @param instances the addresses of the instances behind it */
  static async start(name: ProxyName, instances: string[]): Promise<ReverseProxy> {
    const folder = await mkdtemp(join(tmpdir(), `snug-${name}-`));
    // nginx gives its work to another user.
    await chmod(folder, 0o755);
    const port = findFreePort();
    const hosts = instances.map((instance) => new URL(instance).host);
    const proxy = new ReverseProxy(folder, port, await SETUPS[name](folder, port, hosts));
    await proxy.open();
    return proxy;
  }

  get address(): string {
    return `https://localhost:${this.port}`;
  }

  /** Starts it, and waits until an instance answers through it. */
  async open(): Promise<void> {
    const { run, env } = this.setup;
    const output = Bun.file(join(this.folder, "output"));
    this.#process = Bun.spawn(run, {
      stdin: "ignore",
      stdout: output,
      stderr: output,
      env: { ...process.env, HOME: this.folder, ...env },
    });
    const tls = { rejectUnauthorized: false };
    const deadline = performance.now() + 60_000;
    for (;;) {
      const answer = await fetch(`${this.address}/readyz`, { tls }).catch(() => null);
      if (answer?.ok) return;
      if (this.#process.exitCode !== null || performance.now() > deadline) {
        throw new Error(await output.text());
      }
      await Bun.sleep(20);
    }
  }

  async reload(): Promise<void> {
    await this.setup.reload(this.#process?.pid ?? 0);
  }

  /** SIGTERM, and what is left of it later is ended as well: nginx and HAProxy fork. */
  async stop(): Promise<void> {
    this.#process?.kill("SIGTERM");
    await this.#process?.exited;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const SETUPS: Record<ProxyName, (folder: string, port: number, hosts: string[]) => Promise<Setup>> =
  {
    async nginx(folder, port, [one = "", two = ""]) {
      const site = await readDeployed("nginx.conf", [
        ["127.0.0.1:3000", one],
        ["# server 127.0.0.1:3001", `server ${two}`],
        ["listen 443 ", `listen 127.0.0.1:${port} `],
        ["listen [::]:443 ssl http2;", ""],
        ["/etc/ssl/certs/chat.example.org.pem", CERTIFICATE],
        ["/etc/ssl/private/chat.example.org.key", KEY],
      ]);
      const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n");
      const file = join(folder, "nginx.conf");
      await writeFile(
        file,
        `pid ${folder}/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n${places}\n${site}}\n`,
      );
      const run = ["nginx", "-c", file, "-p", folder, "-g", "daemon off;"];
      return { run, reload: (pid) => process.kill(pid, "SIGHUP") };
    },
    async caddy(folder, port, hosts) {
      const admin = `localhost:${findFreePort()}`;
      const file = join(folder, "Caddyfile");
      await writeFile(
        file,
        `{\nadmin ${admin}\nskip_install_trust\nlocal_certs\nauto_https disable_redirects\n}\nimport ${ROOT}/deploy/proxy/Caddyfile\n`,
      );
      const env = {
        DOMAIN: `${PUBLIC_ORIGIN}:${port}, https://localhost:${port}`,
        SNUG: hosts.join(" "),
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      };
      const config = ["--config", file, "--adapter", "caddyfile"];
      const reload = ["caddy", "reload", "--force", "--address", admin, ...config];
      return {
        run: ["caddy", "run", ...config],
        env,
        reload: () => Bun.$`${reload}`.env({ ...process.env, ...env }).quiet(),
      };
    },
    async haproxy(folder, port, [one = "", two = ""]) {
      const pem = join(folder, "chat.example.org.pem");
      await mkdir(folder, { recursive: true });
      const texts = await Promise.all([CERTIFICATE, KEY].map((path) => Bun.file(path).text()));
      await writeFile(pem, texts.join("\n"));
      const file = join(folder, "haproxy.cfg");
      await writeFile(
        file,
        await readDeployed("haproxy.cfg", [
          // It wants two open files for each, which not every user may have.
          ["maxconn 20000", "maxconn 2000"],
          ["bind :443", `bind 127.0.0.1:${port}`],
          ["/etc/haproxy/chat.example.org.pem", pem],
          // So that checks have run before a test is over.
          ["check inter 2s", "check inter 50ms"],
          ["127.0.0.1:3000", one],
          ["# server two 127.0.0.1:3001", `server two ${two}`],
        ]),
      );
      // With a master, as Debian runs it.
      return { run: ["haproxy", "-W", "-f", file], reload: (pid) => process.kill(pid, "SIGUSR2") };
    },
  };

/** A file of `deploy/proxy`, in which each of these must be there to be replaced. */
async function readDeployed(name: string, changes: [string, string][]): Promise<string> {
  let text = await Bun.file(join(ROOT, "deploy/proxy", name)).text();
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}
