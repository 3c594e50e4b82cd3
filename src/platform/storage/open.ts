import { join } from "node:path";
import { DiskStorage } from "./disk.ts";
import { Incoming } from "./incoming.ts";
import { type S3Settings, S3Storage } from "./s3.ts";
import type { Storage } from "./storage.ts";

export type Store = { storage: Storage; incoming: Incoming };

/**
 * Opens the S3 bucket if configured, otherwise `uploads` in the data folder. Creates nothing yet.
 * @param dataDir contains the folder of incoming files in both cases
 */
export function openStore({ dataDir, s3 }: { dataDir: string; s3: S3Settings | null }): Store {
  const root = join(dataDir, "uploads");
  return {
    storage: s3 ? new S3Storage(s3) : new DiskStorage(root),
    incoming: new Incoming(join(root, "incoming")),
  };
}
