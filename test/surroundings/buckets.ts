import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../support/ports.ts";

/**
 * Runs the tests of the bucket on OpenStack Swift, whose S3 interface checks signatures as Amazon's does.
 * The suite has them on s3rver. It needs Debian's `swift-proxy`, `swift-account`, `swift-container` and
 * `swift-object`, and `memcached`.
 *
 * Usage: bun run buckets [<path of a test>…]
 */
const TESTS = ["./test/platform/storage", "./test/uploads/bucket.test.ts", "./test/backup"];
const KINDS = ["account", "container", "object"] as const;
const USER = "snug:files";
const SECRET = crypto.randomUUID();
const BUCKET = "snug";
const PATIENCE_MS = 30_000;

const PROGRAMS = [...KINDS, "proxy"].map((kind) => `swift-${kind}-server`).concat("memcached");
const missing = PROGRAMS.filter((name) => !Bun.which(name));
if (missing.length > 0) {
  process.stdout.write(`--  no ${missing.join(", ")} here\n`);
  process.exit(0);
}
const folder = await mkdtemp(join(tmpdir(), "snug-swift-"));
await chmod(folder, 0o755);
const started: Bun.Subprocess[] = [];
let status = 1;
try {
  const proxy = findFreePort();
  await configure(proxy);
  await createBucket(proxy);
  const url = new URL(`http://127.0.0.1:${proxy}/${BUCKET}`);
  url.username = encodeURIComponent(USER);
  url.password = SECRET;
  await checkSignatures(url);
  const paths = process.argv.slice(2);
  const tests = Bun.spawn(
    [
      process.execPath,
      "test",
      "--no-isolate",
      "--timeout",
      "30000",
      ...(paths.length > 0 ? paths : TESTS),
    ],
    {
      cwd: join(import.meta.dir, "../.."),
      env: { ...process.env, TEST_S3_URL: url.href },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  status = await tests.exited;
} finally {
  for (const child of started) child.kill("SIGTERM");
  await Promise.all(started.map((item) => item.exited));
  await rm(folder, { recursive: true });
}
process.exit(status);

/** One device without replicas: rings, servers, and the proxy that speaks S3. */
async function configure(proxyPort: number): Promise<void> {
  const write = (name: string, text: string) => Bun.write(join(folder, name), text);
  await write(
    "swift.conf",
    "[swift-hash]\nswift_hash_path_suffix = snug\n[storage-policy:0]\nname = one\ndefault = yes\n",
  );
  await mkdir(join(folder, "devices/one"), { recursive: true });
  const common = `swift_dir = ${folder}\nbind_ip = 127.0.0.1\nuser = root\nworkers = 0\nlog_address = ${folder}/none\n`;
  for (const kind of KINDS) {
    const port = findFreePort();
    const builder = join(folder, `${kind}.builder`);
    const build = (...args: string[]) => Bun.$`swift-ring-builder ${builder} ${args}`.quiet();
    await build("create", "1", "1", "0");
    await build("add", `r1z1-127.0.0.1:${port}/one`, "1");
    await build("rebalance").nothrow();
    await write(
      `${kind}.conf`,
      `[DEFAULT]\n${common}bind_port = ${port}\ndevices = ${folder}/devices\nmount_check = false\n[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    );
    start(`swift-${kind}-server`, join(folder, `${kind}.conf`), "-v");
  }
  // Tokens are in it.
  const memory = findFreePort();
  start("memcached", "-u", "root", "-l", "127.0.0.1", "-p", String(memory), "-m", "16");
  const filters = ["catch_errors", "cache", "listing_formats", "bulk", "s3api", "tempauth", "slo"];
  const [group, name] = USER.split(":");
  await write(
    "proxy.conf",
    `[DEFAULT]\n${common}bind_port = ${proxyPort}\n[pipeline:main]\npipeline = ${filters.join(" ")} proxy-server
[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true
[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${memory}
[filter:tempauth]\nuse = egg:swift#tempauth\nuser_${group}_${name} = ${SECRET} .admin
[filter:s3api]\nuse = egg:swift#s3api\nlocation = us-east-1
${filters
  .filter((filter) => !/^(?:cache|tempauth|s3api)$/.test(filter))
  .map((filter) => `[filter:${filter}]\nuse = egg:swift#${filter}\n`)
  .join("")}`,
  );
  start("swift-proxy-server", join(folder, "proxy.conf"), "-v");
}

function start(program: string, ...args: string[]): void {
  const log = Bun.file(join(folder, `${program}.log`));
  started.push(
    Bun.spawn([program, ...args], {
      env: { PATH: "/usr/bin:/bin", HOME: folder },
      stdin: "ignore",
      stdout: log,
      stderr: log,
    }),
  );
}

/** By Swift's own interface. */
async function createBucket(port: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const headers = { "x-storage-user": USER, "x-storage-pass": SECRET };
  for (;;) {
    const entered = await fetch(`http://127.0.0.1:${port}/auth/v1.0`, { headers }).catch(
      () => null,
    );
    const [url, token] = ["x-storage-url", "x-auth-token"].map((name) =>
      entered?.headers.get(name),
    );
    if (url && token) {
      const response = await fetch(`${url}/${BUCKET}`, {
        method: "PUT",
        headers: { "x-auth-token": token },
      });
      if (response.ok) return;
    }
    if (Date.now() > deadline || started.some(({ exitCode }) => exitCode !== null)) {
      throw new Error(await Bun.$`tail -n 20 ${folder}/*.log`.nothrow().text());
    }
    await Bun.sleep(100);
  }
}

/** A server that takes any signature would prove nothing. */
async function checkSignatures({ origin }: URL): Promise<void> {
  const settings = { bucket: BUCKET, endpoint: origin, region: "us-east-1", accessKeyId: USER };
  const right = new Bun.S3Client({ ...settings, secretAccessKey: SECRET });
  const wrong = new Bun.S3Client({ ...settings, secretAccessKey: `${SECRET}x` });
  const deadline = Date.now() + PATIENCE_MS;
  // Its servers find each other first.
  while (!(await right.write("probe", "probe").catch(() => false))) {
    if (Date.now() > deadline) throw new Error("Nothing can be written.");
    await Bun.sleep(100);
  }
  const refused = await wrong.write("probe", "probe").then(
    () => false,
    (error) => /SignatureDoesNotMatch/.test(`${error.code} ${error.message}`),
  );
  await right.delete("probe");
  if (!refused) throw new Error("The server takes wrong signatures.");
}
