import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { INSTALLATION } from "../platform/process/installation.ts";
import { type Asset, compressBytes, toAsset } from "./assets.ts";
import type { ClientBundle } from "./bundle.ts";

/** The output folder of `bun run build`; a checkout has the sources instead. */
const FOLDER = join(INSTALLATION, "client");
const INDEX = "index.json";
const SUFFIXES = [["br", ".br"] as const, ["gzip", ".gz"] as const];
const BEST_QUALITY = 11;
const PACKED = /^(?:image\/png|font\/woff2)/;

type Index = {
  manifest: object;
  scriptHash: string;
  signInLinks: string;
  files: { path: string; type: string }[];
};

export function isPrebuilt(): boolean {
  return existsSync(join(FOLDER, INDEX));
}

/** Writes each file and its compressed forms, and a list of them. */
export async function writePrebuilt(
  { assets, ...metadata }: ClientBundle,
  folder: string,
): Promise<void> {
  for (const [path, { body, type }] of assets) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await Bun.write(place, body);
    if (PACKED.test(type)) continue;
    for (const [encoding, suffix] of SUFFIXES) {
      await Bun.write(place + suffix, compressBytes(body, encoding, BEST_QUALITY));
    }
  }
  const files = [...assets].map(([path, { type }]) => ({ path, type }));
  const index: Index = { ...metadata, files };
  await Bun.write(join(folder, INDEX), `${JSON.stringify(index, null, 2)}\n`);
}

export async function readPrebuilt(folder = FOLDER): Promise<ClientBundle> {
  const { files, ...index }: Index = await Bun.file(join(folder, INDEX)).json();
  const assets = new Map<string, Asset>();
  for (const { path, type } of files) {
    const place = join(folder, path);
    const encodings: Asset["encodings"] = {};
    for (const [encoding, suffix] of SUFFIXES) {
      const file = Bun.file(place + suffix);
      if (await file.exists()) encodings[encoding] = await file.bytes();
    }
    assets.set(path, toAsset(await Bun.file(place).bytes(), type, path, encodings));
  }
  return { assets, ...index };
}
