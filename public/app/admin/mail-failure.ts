import type { MailFailure } from "../../../src/wire/admin.ts";
import { fullTimeOf } from "../parts/times.ts";
import { t } from "../words/translate.ts";

/** Since when mail cannot be sent, how many mails wait, and what the server said. */
export function describeMailFailure({ since, error, waiting }: MailFailure): string {
  return t("mail.failing", { since: fullTimeOf(since), error, count: waiting });
}
