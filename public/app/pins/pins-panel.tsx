import { Pin, PinOff, X } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { senderOf } from "../messages/message-author.tsx";
import { IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Entry } from "../parts/entry.tsx";
import { isEscape } from "../parts/escape.ts";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { useReturnFocus } from "../parts/return-focus.ts";
import { agoOf } from "../parts/times.ts";
import { PHONE } from "../parts/use-media.ts";
import { useSwipeAway } from "../parts/use-swipe-away.ts";
import { describeKept } from "../session/describe-kept.ts";
import { navigateTo } from "../session/navigation.ts";
import { mayPin, togglePin } from "../session/pins.ts";
import { usePages } from "../session/use-pages.ts";
import { placePath } from "../state/route.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** The pinned messages of a room, the newest pin first. */
export function PinsPanel({ room }: { room: MyRoom }) {
  const pages = usePages("GET /api/rooms/:id/pins", { params: { id: room.id } });
  const aside = useRef<HTMLElement>(null);
  const returnFocus = useReturnFocus();
  const close = () => {
    navigateTo(location.pathname);
    returnFocus();
  };
  useSwipeAway(aside, close);
  const lastPins = useRef("");
  const now = JSON.stringify([room.pin_count, room.newest_pin]);
  useEffect(() => {
    // The first page is loaded automatically.
    if (lastPins.current !== "" && lastPins.current !== now) void pages.reload();
    lastPins.current = now;
  }, [now]);
  useEffect(() => aside.current?.querySelector<HTMLElement>("button")?.focus(), []);
  return (
    <>
      <button
        type="button"
        class="sheet-scrim"
        aria-label={t("pin.close")}
        tabIndex={-1}
        onClick={close}
      />
      <aside
        ref={aside}
        class="members side-panel"
        aria-label={t("pin.title")}
        onKeyDown={(event) => {
          if (!isEscape(event)) return;
          event.preventDefault();
          close();
        }}
      >
        <header class="pane-head">
          <div class="titles">
            <h2>
              {t("pin.title")}{" "}
              <span class="muted count">
                {getNumberFormat(currentLocale()).format(room.pin_count)}
              </span>
            </h2>
          </div>
          <IconButton icon={X} label={t("pin.close")} onClick={close} />
        </header>
        <div class="virtual-list">
          {pages.isEmpty ? (
            <Empty title={t("pin.none")} text={t("pin.none-text")} />
          ) : (
            <Listing label={t("pin.title")} pages={pages} empty="" keyOf={({ id }) => id}>
              {(message) => <PinRow room={room} message={message} />}
            </Listing>
          )}
        </div>
      </aside>
    </>
  );
}

function PinRow({ room, message }: { room: MyRoom; message: Message }) {
  const { id, author, created_at, pinned } = message;
  const rest = matchMedia(PHONE).matches ? "" : "?panel=pins";
  return (
    <>
      <Entry
        href={placePath(room, id) + rest}
        mark={<Avatar user={author} size={28} />}
        title={senderOf(message)}
        at={created_at}
        text={describeKept(message)}
      >
        {pinned && (
          <span class="muted small">
            <Icon of={Pin} /> {describePin(pinned)}
          </span>
        )}
      </Entry>
      {mayPin(room, message) && (
        <IconButton icon={PinOff} label={t("pin.unpin")} onClick={() => togglePin(message)} />
      )}
    </>
  );
}

function describePin({ by, at }: NonNullable<Message["pinned"]>): string {
  return t("pin.by", { name: nameOf(by), when: agoOf(at) });
}
