import { X } from "lucide";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { longPress } from "../parts/long-press.ts";
import { type Anchor, pointOf } from "../parts/use-popover.ts";
import { watchSwipes } from "../parts/swipe.ts";
import { TimeAgo } from "../parts/time-ago.tsx";
import { agoOf } from "../parts/times.ts";
import { formatBadge } from "../parts/unread-badge.tsx";
import { PlaceLink } from "../session/place-link.tsx";
import { hideDirect } from "../session/membership.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { readNews } from "../state/model/unread.ts";
import { directPath } from "../state/route.ts";
import { getDateFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { Faces } from "./faces.tsx";
import { nameOfDirect } from "../session/direct.ts";

const TWO_DAYS_MS = 2 * 86_400_000;
const SHORT_DAY = { day: "numeric", month: "short" } as const;
const SHORT_DATE = { dateStyle: "short" } as const;

type RowProps = {
  room: DirectRoom;
  isOpen: boolean;
  /** Whether Tab goes to it; arrows go from row to row. */
  isTabStop?: boolean;
  /** Whether it can be moved into sections, as in the sidebar: by dragging, or by its menu. */
  isMovable?: boolean;
  /** In the list that is a screen: its last message. It is larger there, and says when that was. */
  last?: string;
};

const DirectMenu = quietRest("DirectMenu");

/**
 * A conversation in a list. The cross, the Delete key and a swipe hide it. In the sidebar, a right click, a long press or
 * the menu key opens its menu.
 */
export function DirectRow({ room, isOpen, isTabStop = true, isMovable, last }: RowProps) {
  const [menuAnchor, setMenuAnchor] = useState<Anchor | null>(null);
  const isLarge = last !== undefined;
  const row = useRef<HTMLLIElement>(null);
  const now = useRef(room);
  now.current = room;
  useLayoutEffect(() => {
    if (!row.current) return;
    return watchSwipes(
      row.current,
      ({ currentTarget }) => {
        const element = currentTarget as HTMLElement;
        return mayHide(now.current) ? { element, from: 0, to: -element.offsetWidth } : null;
      },
      async (element, isThere) => {
        if (isThere) hideDirect(now.current);
        element.style.transform = "";
      },
    );
  }, []);
  const name = nameOfDirect(room.direct);
  const news = readNews(room.membership);
  return (
    <li
      ref={row}
      class={`room-row direct-row ${mayHide(room) ? "" : "stays"}`}
      data-id={isMovable ? room.id : undefined}
      draggable={isMovable}
      onKeyDown={(event) => {
        const isMenuKey = event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");
        if (isMovable && isMenuKey) setMenuAnchor(row.current);
        else if (event.key === "Delete" && mayHide(room)) hideDirect(room);
        else return;
        event.preventDefault();
      }}
      {...(isMovable &&
        longPress(
          () => setMenuAnchor(row.current),
          (event) => {
            if (event.shiftKey) return;
            event.preventDefault();
            setMenuAnchor(pointOf(event));
          },
        ))}
    >
      <PlaceLink
        id={room.id}
        href={directPath(room.id)}
        title={name}
        isOpen={isOpen}
        isTabStop={isTabStop}
        news={news}
        muted={t("direct.muted")}
        badge={formatBadge(news.mentions)}
        draggable={isMovable ? false : undefined}
      >
        <Faces direct={room.direct} size={isLarge ? 36 : 22} />
        {isLarge ? (
          <span class="grow known">
            <span class="entry-head">
              <span class="truncate" dir="auto">
                {name}
              </span>
              {room.last_message_at && (
                <span class="muted small">
                  <TimeAgo at={room.last_message_at}>{shortAgo(room.last_message_at)}</TimeAgo>
                </span>
              )}
            </span>
            <span class="last truncate" dir="auto">
              {last}
            </span>
          </span>
        ) : (
          <span class="grow truncate" dir="auto">
            {name}
          </span>
        )}
      </PlaceLink>
      {mayHide(room) && (
        <IconButton
          icon={X}
          label={t("direct.hide-one", { name })}
          class="row-action"
          tabIndex={-1}
          onClick={() => hideDirect(room)}
        />
      )}
      {menuAnchor && (
        <DirectMenu
          room={room}
          anchor={menuAnchor}
          onClose={() => {
            setMenuAnchor(null);
            row.current?.querySelector("a")?.focus();
          }}
        />
      )}
    </li>
  );
}

/** When the last message was, so short that the name beside it has room on a phone. */
function shortAgo(at: string): string {
  const date = new Date(at);
  if (Date.now() - date.getTime() < TWO_DAYS_MS) return agoOf(at);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return getDateFormat(currentLocale(), isThisYear ? SHORT_DAY : SHORT_DATE).format(date);
}

/** An unread conversation is never hidden. */
const mayHide = ({ membership }: DirectRoom) => membership?.unread !== true;
