import { buildResetMail } from "../src/accounts/reset-mail.ts";
import type { Drizzle } from "../src/database/connect.ts";
import type { Mail } from "../src/email/mail.ts";
import type { Mailer } from "../src/email/mailer.ts";
import { isMailConfigured } from "../src/email/settings.ts";
import { buildInviteMail } from "../src/invites/invite-mail.ts";
import type { Handlers, Handling, JobKind, JobPayloads } from "../src/jobs-queue/kinds.ts";
import type { ReadKey } from "../src/platform/secrets.ts";
import { buildAddedMail } from "../src/rooms/added-mail.ts";

export type MailDeps = { db: Drizzle; mailer: Mailer; readKey: ReadKey; baseUrl: string };

/** Mails of a kind that a process sends at a time; a mail server that hangs holds up only these. */
const CONCURRENCY = 4;

/** The jobs that send a mail each. What a mail says is looked up at the last moment. */
export function mailHandlers(deps: MailDeps) {
  const { db, mailer, baseUrl } = deps;
  /** Does nothing where the mail has no reason any more, or where no mail goes out. */
  const mailing = <K extends JobKind>(
    write: (payload: JobPayloads[K], jobId: string) => Promise<Mail | null>,
  ): Handling<K> => ({
    concurrency: CONCURRENCY,
    async run(payload, { id, signal }) {
      if (!(await isMailConfigured(db))) return;
      const mail = await write(payload, id);
      if (mail) await mailer.send(mail, id, signal);
    },
  });
  return {
    invite_mail: mailing<"invite_mail">((wanted) => buildInviteMail(db, deps, wanted)),
    reset_mail: mailing<"reset_mail">(({ email }, id) => buildResetMail(db, deps, email, id)),
    added_mail: mailing<"added_mail">((added) => buildAddedMail(db, baseUrl, added)),
  } satisfies Partial<Handlers>;
}
