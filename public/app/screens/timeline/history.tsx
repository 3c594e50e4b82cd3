import { CalendarDays } from "lucide";
import type { Message, MyRoom } from "../../../../src/wire/models.ts";
import { overlay } from "../../overlay.ts";
import { Icon } from "../../parts/icon.tsx";
import { dayKey, dayName } from "../../parts/times.ts";
import { timeline } from "../../state/timeline.ts";
import { say } from "../../words/say.ts";
import { MessageRow } from "../message.tsx";

type HistoryProps = {
  room: MyRoom;
  messages: Message[];
  /** The id of the message that the line of what is new stands above. */
  firstUnread: string | undefined;
  /** The id of the message that the address names. */
  marked: string | null;
};

/** Messages with the days between them. */
export function History({ room, messages, firstUnread, marked }: HistoryProps) {
  return timeline(messages, dayKey, firstUnread ?? null).map((row) => {
    if (row.kind === "day") return <Day key={row.key} room={room} at={row.at} />;
    if (row.kind === "new") {
      return (
        <li key={row.key} class="divider new">
          {say("talk.new")}
        </li>
      );
    }
    const { message, head } = row;
    return (
      <MessageRow
        key={row.key}
        room={room}
        message={message}
        head={head}
        marked={message.id === marked}
      />
    );
  });
}

/** The day of what follows; it stays at the upper edge while one reads there, and leads to other days. */
function Day({ room, at }: { room: MyRoom; at: string }) {
  return (
    <>
      <li class="day-line" aria-hidden="true" />
      <li class="day">
        <button
          type="button"
          title={say("jump.title")}
          onClick={() => {
            overlay.value = { name: "jump", room };
          }}
        >
          {dayName(at)}
          <Icon of={CalendarDays} />
        </button>
      </li>
    </>
  );
}
