import { CalendarDays } from "lucide";
import { Fragment } from "preact";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { Icon } from "../parts/icon.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import { timeline } from "../state/timeline.ts";
import { t } from "../words/translate.ts";
import { MessageRow } from "../messages/message.tsx";

type HistoryProps = {
  room: MyRoom;
  messages: Message[];
  /** The id of the first unread message: the divider is above it. */
  firstUnread: string | undefined;
  /** The id of the message in the page's address. */
  marked: string | null;
};

/** Messages by day, each under a sticky heading. */
export function History({ room, messages, firstUnread, marked }: HistoryProps) {
  const last = messages.at(-1);
  return timeline(messages, dayKey, firstUnread ?? null).map((day) => (
    <li key={day.key} class="day">
      <DayName room={room} at={day.at} />
      <ol>
        {day.rows.map(({ message, head, isFirstUnread }) => (
          <Fragment key={message.id}>
            {isFirstUnread && <li class="divider new">{t("timeline.new")}</li>}
            <MessageRow
              room={room}
              message={message}
              head={head}
              marked={message.id === marked}
              first={message === last}
            />
          </Fragment>
        ))}
      </ol>
    </li>
  ));
}

/** Opens the dialog that jumps to another day. */
function DayName({ room, at }: { room: MyRoom; at: string }) {
  return (
    <div class="day-name">
      <button
        type="button"
        title={t("jump.title")}
        onClick={() => {
          overlay.value = { name: "jump", room };
        }}
      >
        {dayName(at)}
        <Icon of={CalendarDays} />
      </button>
    </div>
  );
}
