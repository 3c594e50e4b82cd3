import type { Database } from "../src/database/connect.ts";
import type { Handlers } from "../src/jobs-queue/kinds.ts";
import type { Period } from "../src/jobs-queue/schedule.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { freeUploads } from "./free-uploads.ts";
import { linkPreview } from "./link-preview.ts";
import { pruneLog } from "./prune-log.ts";
import { sweep } from "./sweep.ts";

/** One handler for each kind of job. */
export function createHandlers(database: Database, storage: Storage): Handlers {
  const { sql } = database;
  return {
    link_preview: linkPreview(database),
    prune_log: pruneLog(sql),
    sweep: sweep(sql),
    free_uploads: freeUploads(database, storage),
  };
}

/** What is done every so often. */
export const PERIODS: Period[] = [
  { kind: "prune_log", payload: {}, minutes: 24 * 60 },
  { kind: "sweep", payload: {}, minutes: 60 },
  { kind: "free_uploads", payload: {}, minutes: 60 },
];
