import { CalendarDays } from "lucide";
import { Fragment } from "preact";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { Icon } from "../parts/icon.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import { asPicture, splitGalleries } from "../state/gallery.ts";
import { type Row, timeline } from "../state/timeline.ts";
import { t } from "../words/translate.ts";
import { editing } from "../composer/editing.ts";
import type { OutboxEntry } from "../connection/outbox-entries.ts";
import { Gallery } from "../messages/gallery.tsx";
import { GalleryHead } from "../messages/message-author.tsx";
import { MessageRow } from "../messages/message.tsx";

type HistoryProps = {
  room: MyRoom;
  messages: Message[];
  /** The id of the first unread message: the divider is above it. */
  firstUnread: string | undefined;
  /** The id of the message in the page's address. */
  marked: string | null;
  /** Pictures that wait to be sent, of the gallery that the last message is in. */
  tail: OutboxEntry[];
};

/** Messages by day, each under a sticky heading. */
export function History({ room, messages, firstUnread, marked, tail }: HistoryProps) {
  const last = messages.at(-1);
  const pictureOf = ({ message }: Row) =>
    message.id === editing.value ? null : asPicture(message);
  const beginsNew = ({ head, isFirstUnread }: Row) => head || isFirstUnread;
  return timeline(messages, dayKey, firstUnread ?? null).map((day) => (
    <li key={day.key} class="day">
      <DayName room={room} at={day.at} />
      <ol>
        {splitGalleries(day.rows, pictureOf, beginsNew).map((run) => {
          const [{ message, head, isFirstUnread }] = run as [Row, ...Row[]];
          const pending = run.at(-1)?.message === last ? tail : [];
          const isGallery = run.length + pending.length > 1;
          return (
            <Fragment key={message.id}>
              {isFirstUnread && <li class="divider new">{t("timeline.new")}</li>}
              {isGallery && !message.content ? (
                head && <GalleryHead message={message} />
              ) : (
                <MessageRow
                  room={room}
                  message={message}
                  head={head}
                  marked={message.id === marked}
                  first={message === last}
                  isText={isGallery}
                />
              )}
              {isGallery && (
                <Gallery
                  room={room}
                  messages={run.map((row) => row.message)}
                  pending={pending}
                  marked={marked}
                  last={last}
                />
              )}
            </Fragment>
          );
        })}
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
