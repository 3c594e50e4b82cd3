import { FatalJobError } from "../jobs-queue/kinds.ts";
import type { Mail } from "./mail.ts";
import { type Mailer, UndeliverableError } from "./mailer.ts";

/**
 * Sends a job's mail: what the mail server will never take is not tried again.
 * @param id of the job, so that a mail that arrives twice can be known by its `Message-ID`
 */
export async function postMail(
  mailer: Mailer,
  mail: Mail,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await mailer.send(mail, id, signal);
  } catch (error) {
    if (error instanceof UndeliverableError) throw new FatalJobError(error.message);
    throw error;
  }
}
