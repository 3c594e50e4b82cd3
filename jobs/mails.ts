import { buildResetMail } from "../src/sign-in/new-password.ts";
import { buildSecurityMail } from "../src/sign-in/security-mail.ts";
import { buildMissedMail } from "../src/activity/missed-mail.ts";
import type { Database } from "../src/database/connect.ts";
import type { Mail } from "../src/email/mail.ts";
import type { Mailer } from "../src/email/mailer.ts";
import { isMailConfigured } from "../src/email/settings.ts";
import { buildInviteMail } from "../src/invites/invites.ts";
import type { Job, Jobs } from "../src/jobs-queue/job.ts";
import type { JobKind, JobPayloads } from "../src/jobs-queue/kinds.ts";
import type { ReadKey } from "../src/platform/secrets/secrets.ts";
import { buildAddedMail } from "../src/rooms/added-mail.ts";

export type MailDeps = { database: Database; mailer: Mailer; readKey: ReadKey; baseUrl: string };

/**
 * Maximum number of concurrent emails of each kind, so that an unresponsive mail server delays no other
 * jobs.
 */
const CONCURRENCY = 4;

/** Creates the jobs that send one email each. The content is read when the email is sent. */
export function createMailJobs(deps: MailDeps) {
  const { database, mailer, baseUrl } = deps;
  const { db } = database;
  /** Does nothing if the reason for the email no longer exists, or email is off. */
  const createMailJob = <K extends JobKind>(
    writeMail: (payload: JobPayloads[K], jobId: string) => Promise<Mail | null>,
  ): Job<K> => ({
    concurrency: CONCURRENCY,
    async run(payload, { id, signal }) {
      if (!(await isMailConfigured(db))) return;
      const mail = await writeMail(payload, id);
      if (mail) await mailer.send(mail, id, signal);
    },
  });
  return {
    invite_mail: createMailJob<"invite_mail">((invite) => buildInviteMail(db, deps, invite)),
    reset_mail: createMailJob<"reset_mail">(({ email }, id) => buildResetMail(db, deps, email, id)),
    missed_mail: createMailJob<"missed_mail">((payload) =>
      buildMissedMail(database, baseUrl, payload),
    ),
    security_mail: createMailJob<"security_mail">((change) =>
      buildSecurityMail(db, baseUrl, change),
    ),
    added_mail: createMailJob<"added_mail">((payload) => buildAddedMail(db, baseUrl, payload)),
  } satisfies Partial<Jobs>;
}
