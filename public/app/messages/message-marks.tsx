import { Bookmark, CalendarClock, Pin } from "lucide";
import type { Message } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { nameOf } from "../session/person.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { whenAhead } from "../parts/times-ahead.ts";
import { lateMessages, savedIds } from "../session/kept-lists.ts";
import { t } from "../words/translate.ts";

/** The marks of a message: a pin, which everyone sees, and those that only the reader sees. */
export function MessageMarks({ message: { id, pinned } }: { message: Message }) {
  const isSaved = savedIds.value.has(id);
  const planned = lateMessages.value.get(id);
  return (
    <p class="marks wrap muted tiny">
      {pinned && (
        <span title={fullTimeOf(pinned.at)}>
          <Icon of={Pin} />
          {t("pin.who", { name: nameOf(pinned.by) })}
        </span>
      )}
      {isSaved && (
        <a href="/later">
          <Icon of={Bookmark} />
          {t("later.mark")}
        </a>
      )}
      {planned && (
        <span>
          <Icon of={CalendarClock} />
          {t("scheduled.late", { when: whenAhead(new Date(planned)) })}
        </span>
      )}
    </p>
  );
}
