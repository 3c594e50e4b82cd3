import { restrictOverdueSessions } from "../src/authentication/second-factor-policy.ts";
import { queueMissedMails } from "../src/activity/missed-mail.ts";
import type { Database } from "../src/database/connect.ts";
import type { Jobs } from "../src/jobs-queue/job.ts";
import { FairSemaphore } from "../src/platform/concurrency/semaphore.ts";
import { updatePreview, type PreviewDeps } from "../src/previews/update-preview.ts";
import type { Poster } from "../src/messages/post.ts";
import { notifyRecipients, type PushDeps, retryNotification } from "../src/push/notify.ts";
import { notifySelf } from "../src/push/notify-self.ts";
import { sendReminder } from "../src/saved-messages/reminders.ts";
import { sendDue } from "../src/scheduled-messages/send.ts";
import { backfillShard, indexShards, pruneSearchIndex } from "../src/search/index-rooms.ts";
import { removeBlobs } from "../src/uploads/remove.ts";
import {
  deliverToWebhook,
  MAX_WEBHOOKS_AT_ONCE,
  type OutgoingWebhookDeps,
} from "../src/webhooks/outgoing/deliver.ts";
import { createBackupJob, type BackupDeps } from "./backup.ts";
import { deleteRoomRows } from "./delete-room.ts";
import { fetchProfilePicture } from "./profile-picture.ts";
import { createMailJobs, type MailDeps } from "./mails.ts";
import {
  deleteUnused,
  pruneDeliveries,
  pruneLogs,
  prunePersonal,
  prunePreviews,
  pruneThreadFollows,
  sweepExpired,
} from "./prune.ts";

export type JobDeps = PreviewDeps & { pushing: PushDeps } & OutgoingWebhookDeps &
  MailDeps &
  BackupDeps & {
    poster: Poster;
    /** For statements that take long, so that requests do not wait for their connections. */
    long: Database;
  };

const PREVIEW_CONCURRENCY = 16;
/** Shards whose scheduled messages one process posts at a time. */
const SHARDS_AT_ONCE = 8;
const HOUR = 60;
const DAY = 24 * HOUR;
/** For jobs that delete many rows: one that is cut off goes on in its next attempt. */
const LONG_SECONDS = 3_600;

/** How each kind of job is run. `docs/development/jobs.md` says how to add one. */
export function createJobs(deps: JobDeps): Jobs {
  const { database, long, store, pushing } = deps;
  const { db, sql } = long;
  // Sites may hang: each site, and the links of each person, get a share of the places.
  const previews = { ...deps, semaphore: new FairSemaphore({ permits: PREVIEW_CONCURRENCY }) };
  return {
    link_preview: {
      concurrency: PREVIEW_CONCURRENCY,
      run: (payload, { signal }) => updatePreview(previews, payload, signal),
    },
    webhook_events: {
      concurrency: MAX_WEBHOOKS_AT_ONCE,
      run: ({ hookId }, context) => deliverToWebhook(deps, hookId, context),
    },
    push: {
      concurrency: 8,
      // A room of many thousands takes a while.
      timeoutSeconds: 900,
      run: (payload, context) => notifyRecipients(pushing, payload, context),
    },
    push_retry: {
      concurrency: 8,
      run: (payload, context) => retryNotification(pushing, payload, context),
    },
    remind: { run: (payload) => sendReminder(database.db, payload) },
    send_scheduled: {
      concurrency: SHARDS_AT_ONCE,
      timeoutSeconds: 300,
      run: ({ shard }, context) => sendDue(database, deps.poster, shard, context),
    },
    push_self: {
      concurrency: 8,
      run: (payload, { signal, attempt }) => notifySelf(pushing, payload, signal, attempt),
    },
    ...createMailJobs(deps),
    profile_picture: {
      concurrency: 4,
      run: (picture, { signal }) => fetchProfilePicture(deps, picture, signal),
    },
    second_factor_grace: { everyMinutes: 1, run: () => restrictOverdueSessions(db) },
    missed_mentions: { everyMinutes: 1, run: () => queueMissedMails(long) },
    // One at a time each, so that old messages do not hold up new ones.
    search_index: {
      concurrency: 1,
      run: ({ shards }, { signal, stopping }) =>
        indexShards(sql, shards, AbortSignal.any([signal, stopping])),
    },
    search_backfill: {
      concurrency: 1,
      run: ({ shard }, { signal, stopping }) =>
        backfillShard(sql, shard, AbortSignal.any([signal, stopping])),
    },
    prune_kept: {
      everyMinutes: HOUR,
      timeoutSeconds: LONG_SECONDS,
      run: (_, { signal }) => prunePersonal(long, signal),
    },
    prune_log: {
      everyMinutes: DAY,
      timeoutSeconds: LONG_SECONDS,
      async run(_, { signal }) {
        await pruneLogs(sql, signal);
        await pruneSearchIndex(sql, signal);
      },
    },
    prune_deliveries: {
      everyMinutes: HOUR,
      timeoutSeconds: LONG_SECONDS,
      run: (_, { signal }) => pruneDeliveries(sql, signal),
    },
    prune_thread_follows: {
      everyMinutes: DAY,
      timeoutSeconds: LONG_SECONDS,
      run: (_, { signal }) => pruneThreadFollows(sql, signal),
    },
    prune_previews: {
      everyMinutes: DAY,
      timeoutSeconds: LONG_SECONDS,
      run: (_, { signal }) => prunePreviews(sql, signal),
    },
    sweep: { everyMinutes: HOUR, run: () => sweepExpired(db) },
    free_uploads: {
      everyMinutes: HOUR,
      timeoutSeconds: LONG_SECONDS,
      run: (_, { signal }) => deleteUnused(long, store.storage, signal),
    },
    delete_room: {
      timeoutSeconds: LONG_SECONDS,
      run: ({ roomId }, { signal }) => deleteRoomRows(long, roomId, signal),
    },
    ...createBackupJob(deps),
    remove_blobs: { run: ({ keys }) => removeBlobs(database.db, store.storage, keys) },
  };
}
