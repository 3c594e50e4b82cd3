import { AlarmClock, Check, Undo2, X } from "lucide";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Saved } from "../../../src/wire/saved-messages.ts";
import { senderOf } from "../messages/message-author.tsx";
import { IconButton } from "../parts/button.tsx";
import { Entry } from "../parts/entry.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar } from "../session/person.tsx";
import { watchSwipes } from "../parts/swipe.ts";
import { whenAhead } from "../parts/times-ahead.ts";
import { describeKept, describePlace } from "../session/describe-kept.ts";
import { overlay } from "../session/overlay.ts";
import { finishMessage, saveMessage, unsaveMessage } from "../session/save-message.ts";
import { showError, showToast } from "../session/toasts.ts";
import { directPath, messagePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

type RowProps = { item: Saved; onGone(): void };

/**
 * A saved message. The check, and a swipe on a touch screen, mark it done; a done one becomes open
 * again.
 */
export function SavedRow({ item, onGone }: RowProps) {
  const { message, room, note, saved_at, done_at } = item;
  const row = useRef<HTMLDivElement>(null);
  const toggle = () => (done_at ? reopen(item, onGone) : markDone(item, onGone));
  const now = useRef(toggle);
  now.current = toggle;
  useLayoutEffect(() => {
    if (!row.current) return;
    return watchSwipes(
      row.current,
      ({ currentTarget }) => {
        const element = currentTarget as HTMLElement;
        return { element, from: 0, to: -element.offsetWidth };
      },
      (_, isThere) => {
        if (isThere) now.current();
      },
    );
  }, []);
  return (
    <div ref={row} class="kept-row grow">
      <Entry
        href={pathOf(item)}
        mark={<Avatar user={message.author} />}
        title={senderOf(message)}
        place={describePlace(message.room_id, room)}
        at={saved_at}
        text={describeKept(message)}
      >
        {note && (
          <span class="entry-note clamp" dir="auto">
            {note}
          </span>
        )}
        <Reminder item={item} />
      </Entry>
      <span class="entry-actions">
        <IconButton
          icon={done_at ? Undo2 : Check}
          label={t(done_at ? "later.reopen" : "later.finish")}
          onClick={toggle}
        />
        {!done_at && (
          <IconButton
            icon={AlarmClock}
            label={t("later.remind")}
            onClick={() => {
              overlay.value = { name: "remind", messageId: message.id, saved: item };
            }}
          />
        )}
        <IconButton icon={X} label={t("later.remove")} onClick={() => remove(item, onGone)} />
      </span>
    </div>
  );
}

function Reminder({ item: { remind_at, reminded_at, done_at } }: { item: Saved }) {
  if (!remind_at || done_at) return null;
  const when = whenAhead(new Date(remind_at));
  return (
    <span class={`small ${reminded_at ? "due" : "muted"}`}>
      <Icon of={AlarmClock} />
      {t(reminded_at ? "later.was-due" : "later.reminds", { when })}
    </span>
  );
}

function pathOf({ message, room }: Saved): string {
  return room.name === null
    ? directPath(room.id, message.id)
    : messagePath({ id: room.id, name: room.name }, message);
}

function markDone(item: Saved, onGone: () => void): void {
  finishMessage(item.message.id).then(() => {
    onGone();
    showToast(t("later.is-done"), () => back(item));
  }, showError);
}

function reopen(item: Saved, onGone: () => void): void {
  saveMessage(item.message.id, {}).then(() => {
    onGone();
    showToast(t("later.is-open"), () => void finishMessage(item.message.id).catch(showError));
  }, showError);
}

function remove(item: Saved, onGone: () => void): void {
  unsaveMessage(item.message.id).then(() => {
    onGone();
    showToast(t("later.is-removed"), () => back(item));
  }, showError);
}

/** Saves the message again as it was; a reminder whose time is past is not set again. */
function back({ message, note, remind_at, reminded_at }: Saved): void {
  const reminder = reminded_at ? {} : { remind_at };
  saveMessage(message.id, { note, ...reminder }).catch(showError);
}
