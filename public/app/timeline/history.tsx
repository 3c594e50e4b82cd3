import { CalendarDays } from "lucide";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { openDialog } from "../session/overlay.ts";
import { reportFirstScreen } from "../parts/first-screen.ts";
import { Icon } from "../parts/icon.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import {
  asPicture,
  type Day,
  groupByDay,
  type Row,
  splitGalleries,
} from "../state/timeline/timeline-rows.ts";
import type { GroupedReplies } from "../state/timeline/reply-groups.ts";
import type { placeJoins, JoinRun } from "../state/model/joins.ts";
import { t, formatList } from "../words/translate.ts";
import { editing } from "../composer/editing.ts";
import { rowKey } from "../messages/active-message.ts";
import { ReplyGroupRow } from "../messages/reply-group-row.tsx";
import { Gallery } from "../messages/gallery.tsx";
import { GalleryHead } from "../messages/message-author.tsx";
import { MessageRow } from "../messages/message.tsx";
import type { OutboxEntry } from "../connection/outbox.ts";
import { findUser, nameOf } from "../session/person.tsx";

type HistoryProps = {
  room: MyRoom;
  messages: Message[];
  /** The id of the first unread message, which has the divider above it. */
  firstUnread: string | undefined;
  /** The id of the message in the page's address. */
  marked: string | null;
  /** By the id of their first reply. */
  replyGroups?: GroupedReplies["replyGroups"];
  /** Joins, by the id of the message above them. */
  joins?: ReturnType<typeof placeJoins>;
  /** The thread of this history; absent for a room. */
  inThread?: string;
  /** The key of the day without a heading, from `dayKey`. */
  hiddenDay?: string;
  /** Pending pictures that belong to the gallery of the last message. */
  tail: OutboxEntry[];
};

/** Messages by day, each under a sticky heading. */
export function History(props: HistoryProps) {
  const { room, messages, firstUnread, marked, tail, replyGroups, joins, inThread, hiddenDay } =
    props;
  const last = messages.at(-1);
  useEffect(reportFirstScreen, []);
  const pictureOf = ({ message }: Row) =>
    replyGroups?.has(message.id) || rowKey(message.id, inThread) === editing.value
      ? null
      : asPicture(message);
  const beginsNew = ({ head, isFirstUnread }: Row) => head || isFirstUnread;
  return groupByDay(messages, dayKey, firstUnread ?? null, replyGroups, joins).map((day) => (
    <li key={day.key} class={classOf(day, hiddenDay)}>
      {day.key !== hiddenDay && (
        <DayName room={room} at={day.at} isPlain={inThread !== undefined} />
      )}
      <ol>
        {splitGalleries(day.rows, pictureOf, beginsNew).map((run) => {
          const [{ message, head, isFirstUnread }] = run as [Row, ...Row[]];
          const pending = run.at(-1)?.message === last ? tail : [];
          const isGallery = run.length + pending.length > 1;
          const group = replyGroups?.get(message.id);
          return (
            <Fragment key={message.id}>
              {isFirstUnread && (
                <li class="divider row gap-12 muted tiny strong new">
                  {/* biome-ignore lint/a11y/useSemanticElements: an <hr> has no text */}
                  <span role="separator" aria-label={t("label.new")}>
                    {t("label.new")}
                  </span>
                </li>
              )}
              {group ? (
                <ReplyGroupRow room={room} group={group} first={message === last} />
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
              {run.map((row) => (
                <Joined key={row.message.id} run={joins?.get(row.message.id)} />
              ))}
            </Fragment>
          );
        })}
      </ol>
    </li>
  ));
}

/** A day that starts with the first unread message has a single rule for both. */
function classOf({ key, rows }: Day, hiddenDay: string | undefined): string {
  if (key === hiddenDay) return "";
  return rows[0]?.isFirstUnread ? "day relative new" : "day relative";
}

type DayNameProps = { room: MyRoom; at: string; isPlain: boolean };

function DayName({ room, at, isPlain }: DayNameProps) {
  if (isPlain) return <p class="divider row gap-12 muted tiny strong">{dayName(at)}</p>;
  return <DayButton room={room} at={at} />;
}

/** Opens the dialog that jumps to another day of a room. */
function DayButton({ room, at }: Omit<DayNameProps, "isPlain">) {
  return (
    <div class="day-name flex">
      <button
        type="button"
        class="reach relative surface muted tiny strong"
        data-tooltip={t("jump.title")}
        onClick={() => openDialog({ name: "jump", room })}
      >
        {dayName(at)}
        <Icon of={CalendarDays} />
      </button>
    </div>
  );
}

/** The space above a date in its own place, in pixels. */
const SPACE = 20;

/**
 * A date that is at the upper edge of the list and not in its own place covers messages. So it is
 * shown there only while the reader scrolls, and not next to another date or the line above new
 * messages. Its rule is hidden before it meets the edge of the list.
 */
export function placeDates(list: HTMLElement, isShown: boolean): void {
  // All are measured before one changes, so that the page is laid out once.
  const lines = [...list.querySelectorAll<HTMLElement>(".day-name, .divider.new")].map((line) => ({
    line,
    at: line.getBoundingClientRect(),
    isOver: line.offsetTop > line.offsetHeight / 2,
  }));
  for (const { line, at, isOver } of lines) {
    const isClear = lines.every(
      (other) =>
        other.line === line || other.at.bottom < at.top || other.at.top > at.bottom + SPACE,
    );
    line.dataset.over = isOver ? `${isShown && isClear}` : "";
  }
}

/** Up to this many people are all named; otherwise only two are. */
const MAX_NAMED = 3;

/** People who joined the room here, in one subdued line. */
export function Joined({ run }: { run: JoinRun | undefined }) {
  if (!run) return null;
  const { count, userIds } = run;
  const ids = count > MAX_NAMED ? userIds.slice(0, MAX_NAMED - 1) : userIds;
  // People who join again are named once. The event of a join may arrive before the profile.
  const names = [...new Set(ids)].flatMap((id) => {
    const user = findUser(id);
    return user ? [nameOf(user)] : [];
  });
  if (names.length === 0) return null;
  const others = count - ids.length;
  const people = names.length + others;
  if (others > 0) names.push(t("timeline.others", { count: others }));
  return (
    <li class="joined muted small">
      {t("timeline.joined", { names: formatList(names), count: people })}
    </li>
  );
}
