import { join } from "node:path";
import { CachedStorage } from "./cached.ts";
import { DiskStorage } from "./disk.ts";
import { Incoming } from "./incoming.ts";
import { type S3Settings, S3Storage } from "./s3.ts";
import type { Storage } from "./storage.ts";

/** The storage, and the folder of files on their way to it. */
export type Store = { storage: Storage; incoming: Incoming };

/**
 * Opens the bucket if one is configured, or else `uploads` in the data folder. Nothing is created yet.
 * @param dataDir has the folder of incoming files in both cases
 */
export function openStore({ dataDir, s3 }: { dataDir: string; s3: S3Settings | null }): Store {
  const root = join(dataDir, "uploads");
  return {
    storage: s3 ? new S3Storage(s3) : new CachedStorage(new DiskStorage(root)),
    incoming: new Incoming(join(root, "incoming")),
  };
}
