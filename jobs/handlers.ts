import type { Database } from "../src/database/connect.ts";
import type { Handlers } from "../src/jobs-queue/kinds.ts";
import type { Period } from "../src/jobs-queue/schedule.ts";
import type { PreviewDeps } from "../src/previews/preview.ts";
import type { PushDeps } from "../src/push/deliver.ts";
import { removeBlobs } from "../src/uploads/remove.ts";
import type { WebhookDeps } from "../src/webhooks/outgoing/deliver.ts";
import { deleteRoomRows } from "./delete-room.ts";
import { freeUploads } from "./free-uploads.ts";
import { linkPreview } from "./link-preview.ts";
import { type MailDeps, mailHandlers } from "./mails.ts";
import { pruneDeliveries } from "./prune-deliveries.ts";
import { pruneLog } from "./prune-log.ts";
import { prunePreviews } from "./prune-previews.ts";
import { push, pushRetry } from "./push.ts";
import { sweep } from "./sweep.ts";
import { webhookEvents } from "./webhook-events.ts";

export type JobDeps = PreviewDeps & { pushing: PushDeps } & WebhookDeps &
  Omit<MailDeps, "db"> & {
    /** For statements that take long, so that no request waits behind one. */
    long: Database;
  };

/** One handler for each kind of job. */
export function createHandlers(deps: JobDeps): Handlers {
  const { database, long, store } = deps;
  const { sql } = long;
  return {
    link_preview: linkPreview(deps),
    webhook_events: webhookEvents(deps),
    prune_deliveries: pruneDeliveries(sql),
    ...mailHandlers({ ...deps, db: database.db }),
    push: push(deps.pushing),
    push_retry: pushRetry(deps.pushing),
    delete_room: deleteRoomRows(sql),
    prune_log: pruneLog(sql),
    prune_previews: prunePreviews(sql),
    sweep: sweep(sql),
    free_uploads: freeUploads(long, store.storage),
    remove_blobs: ({ keys }) => removeBlobs(database, store.storage, keys),
  };
}

/** What is done every so often. */
export const PERIODS: Period[] = [
  { kind: "prune_log", payload: {}, minutes: 24 * 60 },
  { kind: "prune_deliveries", payload: {}, minutes: 60 },
  { kind: "prune_previews", payload: {}, minutes: 24 * 60 },
  { kind: "sweep", payload: {}, minutes: 60 },
  { kind: "free_uploads", payload: {}, minutes: 60 },
];
