import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

type NewsMarkProps = { mentions: number; isUnread: boolean; label?: string };

/**
 * A mark for unread things: the number of mentions, or a dot if there are none; nothing if all is
 * read.
 */
export function NewsMark({ mentions, isUnread, label }: NewsMarkProps) {
  if (mentions > 0) {
    const count = getNumberFormat(currentLocale()).format(mentions);
    return (
      <span class="badge" role="img" aria-label={label ?? t("shell.mentions", { count: mentions })}>
        {count}
      </span>
    );
  }
  return isUnread ? <span class="unread-dot" role="img" aria-label={t("shell.unread")} /> : null;
}
