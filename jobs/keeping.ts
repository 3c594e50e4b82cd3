import type { Database } from "../src/database/connect.ts";
import type { Jobs } from "../src/jobs-queue/job.ts";
import { pruneKept } from "../src/keeping/prune.ts";
import { sendReminder } from "../src/keeping/reminders.ts";
import { sendDue } from "../src/keeping/send-scheduled.ts";
import type { Poster } from "../src/messages/post.ts";
import type { PushDeps } from "../src/push/notify.ts";
import { notifySelf } from "../src/push/notify-self.ts";

export type KeepingDeps = { database: Database; long: Database; poster: Poster; pushing: PushDeps };

/** Shards whose scheduled messages one process posts at a time. */
const SHARDS_AT_ONCE = 8;

/** The jobs of saved messages, scheduled messages and drafts. */
export function createKeepingJobs({ database, long, poster, pushing }: KeepingDeps) {
  return {
    remind: { run: (payload) => sendReminder(database.db, payload) },
    send_scheduled: {
      concurrency: SHARDS_AT_ONCE,
      timeoutSeconds: 300,
      run: ({ shard }, context) => sendDue(database, poster, shard, context),
    },
    push_self: {
      concurrency: 8,
      run: (payload, { signal, attempt }) => notifySelf(pushing, payload, signal, attempt),
    },
    prune_kept: {
      everyMinutes: 60,
      timeoutSeconds: 3_600,
      run: (_, { signal }) => pruneKept(long, signal),
    },
  } satisfies Partial<Jobs>;
}
