import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** The service counts no further in a conversation. */
const MAX_SHOWN = 99;

type BadgeProps = {
  /** What someone has to look at, such as mentions. */
  mentions: number;
  isUnread: boolean;
  /** Its accessible name; the number of mentions by default. */
  label?: string;
};

/** The number of mentions, or a dot where there is only something unread. */
export function UnreadBadge({ mentions, isUnread, label }: BadgeProps) {
  if (mentions > 0) {
    return (
      <span class="badge" role="img" aria-label={label ?? t("shell.mentions", { count: mentions })}>
        {formatBadge(mentions)}
      </span>
    );
  }
  return isUnread ? <span class="unread-dot" role="img" aria-label={t("shell.unread")} /> : null;
}

/** A number as its badge shows it. */
export function formatBadge(count: number): string {
  const text = getNumberFormat(currentLocale()).format(Math.min(count, MAX_SHOWN));
  return count > MAX_SHOWN ? `${text}+` : text;
}
