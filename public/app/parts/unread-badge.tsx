import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** The service stops counting at this number in a conversation. */
const MAX_SHOWN = 99;

type BadgeProps = {
  /** Items that need the reader's attention, such as mentions. */
  mentions: number;
  isUnread: boolean;
  /** Its accessible name; the number of mentions by default. */
  label?: string;
};

/** The number of mentions, or a dot if there are only other unread messages. */
export function UnreadBadge({ mentions, isUnread, label }: BadgeProps) {
  if (mentions > 0) {
    return (
      <span
        class="badge center tiny bold digits"
        role="img"
        aria-label={label ?? t("shell.mentions", { count: mentions })}
      >
        {formatBadge(mentions)}
      </span>
    );
  }
  return isUnread ? (
    <span class="unread-dot rigid round" role="img" aria-label={t("shell.unread")} />
  ) : null;
}

export const formatBadge = (count: number) => formatUpTo(count, MAX_SHOWN);

/** "999+" for what is above a maximum. */
export function formatUpTo(count: number, max: number): string {
  const text = getNumberFormat(currentLocale()).format(Math.min(count, max));
  return count > max ? `${text}+` : text;
}
