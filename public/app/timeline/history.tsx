import { CalendarDays } from "lucide";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { showFirstScreen } from "../parts/first-screen.ts";
import { Icon } from "../parts/icon.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import {
  asPicture,
  groupByDay,
  type Row,
  splitGalleries,
} from "../state/timeline/timeline-rows.ts";
import type { Flow } from "../state/timeline/fold.ts";
import { t } from "../words/translate.ts";
import { editing } from "../composer/editing.ts";
import type { OutboxEntry } from "../connection/outbox-entries.ts";
import { rowKey } from "../messages/active-message.ts";
import { FoldRow } from "../messages/fold-row.tsx";
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
  /** Replies that are shown as one line, by the id of the first of them. */
  folds?: Flow["folds"];
  /** The thread of this history; absent for a room. */
  inThread?: string;
  /** The day that has no heading, as `dayKey` names it. */
  hiddenDay?: string;
  /** Waiting pictures that belong to the gallery of the last message. */
  tail: OutboxEntry[];
};

/** Messages by day, each under a sticky heading. */
export function History(props: HistoryProps) {
  const { room, messages, firstUnread, marked, tail, folds, inThread, hiddenDay } = props;
  const last = messages.at(-1);
  useEffect(showFirstScreen, []);
  const pictureOf = ({ message }: Row) =>
    folds?.has(message.id) || rowKey(message.id, inThread) === editing.value
      ? null
      : asPicture(message);
  const beginsNew = ({ head, isFirstUnread }: Row) => head || isFirstUnread;
  return groupByDay(messages, dayKey, firstUnread ?? null, folds).map((day) => (
    <li key={day.key} class={day.key === hiddenDay ? "" : "day"}>
      {day.key !== hiddenDay && (
        <DayName room={room} at={day.at} isPlain={inThread !== undefined} />
      )}
      <ol>
        {splitGalleries(day.rows, pictureOf, beginsNew).map((run) => {
          const [{ message, head, isFirstUnread }] = run as [Row, ...Row[]];
          const pending = run.at(-1)?.message === last ? tail : [];
          const isGallery = run.length + pending.length > 1;
          const fold = folds?.get(message.id);
          return (
            <Fragment key={message.id}>
              {isFirstUnread && <li class="divider tiny strong new">{t("timeline.new")}</li>}
              {fold ? (
                <FoldRow room={room} fold={fold} first={message === last} />
              ) : isGallery && !message.content ? (
                head && <GalleryHead message={message} />
              ) : (
                <MessageRow
                  room={room}
                  message={message}
                  head={head}
                  marked={message.id === marked}
                  first={message === last}
                  isText={isGallery}
                  inThread={inThread}
                />
              )}
              {isGallery && (
                <Gallery
                  room={room}
                  messages={run.map((row) => row.message)}
                  pending={pending}
                  marked={marked}
                  last={last}
                  inThread={inThread}
                />
              )}
            </Fragment>
          );
        })}
      </ol>
    </li>
  ));
}

type DayNameProps = { room: MyRoom; at: string; isPlain: boolean };

/** Opens the dialog that jumps to another day of a room. */
function DayName({ room, at, isPlain }: DayNameProps) {
  if (isPlain) return <p class="divider tiny strong">{dayName(at)}</p>;
  return (
    <div class="day-name">
      <button
        type="button"
        data-tooltip={t("jump.title")}
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
