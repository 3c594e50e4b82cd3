import { restrictOverdueSessions } from "../src/authentication/sessions.ts";
import { queueMissedMails } from "../src/activity/missed-mail.ts";
import type { Database } from "../src/database/connect.ts";
import type { JobContext, Jobs } from "../src/jobs-queue/job.ts";
import { FairSemaphore } from "../src/platform/concurrency/semaphore.ts";
import { pruneLogs } from "../src/feed/prune.ts";
import { pruneFollows } from "../src/messages/thread-changes.ts";
import { updatePreview, type PreviewDeps } from "../src/previews/update-preview.ts";
import type { Poster } from "../src/messages/post.ts";
import { notifyRecipients, type PushDeps, retryNotification } from "../src/push/notify.ts";
import { notifySelf } from "../src/push/notify-self.ts";
import { deleteRoomRows } from "../src/rooms/delete.ts";
import { noteSilence } from "../src/rooms/direct/silence.ts";
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
import { fetchProfilePicture } from "./profile-picture.ts";
import { createMailJobs, type MailDeps } from "./mails.ts";
import {
  pruneUploads,
  pruneDeliveries,
  prunePersonal,
  prunePreviews,
  sweepExpired,
} from "./prune.ts";

export type JobDeps = PreviewDeps & { pushing: PushDeps } & OutgoingWebhookDeps &
  MailDeps &
  BackupDeps & {
    poster: Poster;
    /** For long statements, so that requests do not wait for their connections. */
    long: Database;
  };

const PREVIEW_CONCURRENCY = 16;
/** Maximum number of shards whose scheduled messages one process posts concurrently. */
const SHARDS_AT_ONCE = 8;
const HOUR = 60;
const DAY = 24 * HOUR;
/** For jobs that change many rows. An aborted job continues in its next attempt. */
const LONG_SECONDS = 3_600;

/** A periodic job that changes many rows. */
function longPeriodic(everyMinutes: number, run: (signal: AbortSignal) => Promise<void>) {
  return {
    everyMinutes,
    timeoutSeconds: LONG_SECONDS,
    run: (_: unknown, { signal }: JobContext) => run(signal),
  };
}

/** Defines how to run each kind of job. `docs/development/jobs.md` describes how to add one. */
export function createJobs(deps: JobDeps): Jobs {
  const { database, long, store, pushing } = deps;
  const { db, sql } = long;
  // Sites may not respond, so each site, and the links of each person, get a fair share of the slots.
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
      // A room with many thousands of members takes a while.
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
    // Limited to one each, so that indexing old messages does not delay new ones.
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
    prune_kept: longPeriodic(HOUR, (signal) => prunePersonal(long, signal)),
    prune_log: longPeriodic(DAY, async (signal) => {
      await pruneLogs(sql, signal);
      await pruneSearchIndex(sql, signal);
    }),
    note_silence: longPeriodic(HOUR, (signal) => noteSilence(sql, signal)),
    prune_deliveries: longPeriodic(HOUR, (signal) => pruneDeliveries(sql, signal)),
    prune_thread_follows: longPeriodic(DAY, (signal) => pruneFollows(sql, signal)),
    prune_previews: longPeriodic(DAY, (signal) => prunePreviews(sql, signal)),
    sweep: { everyMinutes: HOUR, run: () => sweepExpired(db) },
    free_uploads: longPeriodic(HOUR, (signal) => pruneUploads(long, store.storage, signal)),
    delete_room: {
      timeoutSeconds: LONG_SECONDS,
      run: ({ roomId }, { signal }) => deleteRoomRows(long, roomId, signal),
    },
    ...createBackupJob(deps),
    remove_blobs: { run: ({ keys }) => removeBlobs(database.db, store.storage, keys) },
  };
}
