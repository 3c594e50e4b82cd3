import { join } from "node:path";
import { DiskStorage } from "./disk.ts";
import { Incoming } from "./incoming.ts";
import { type S3Settings, S3Storage } from "./s3.ts";
import type { Storage } from "./storage.ts";

/** Where bytes are kept, and where they wait until they are whole. */
export type Store = { storage: Storage; incoming: Incoming };

/**
 * The bucket if there is one, else `uploads` in the data folder. Nothing is made or read yet.
 * @param dataDir incoming files lie there in both cases
 */
export function openStore({ dataDir, s3 }: { dataDir: string; s3: S3Settings | null }): Store {
  const root = join(dataDir, "uploads");
  return {
    storage: s3 ? new S3Storage(s3) : new DiskStorage(root),
    incoming: new Incoming(join(root, "incoming")),
  };
}
