import { AlarmClock, Check, Undo2, X } from "lucide";
import type { Saved } from "../../../src/wire/saved-messages.ts";
import { senderOf } from "../messages/message-author.tsx";
import { MessageLine } from "../messages/message-line.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { RoomName } from "../parts/room-icon.tsx";
import { Avatar } from "../session/person.tsx";
import { whenAhead } from "../parts/times.ts";
import { describePlace } from "../session/conversation-label.tsx";
import { openDialog } from "../session/overlay.ts";
import { finishMessage, saveMessage, unsaveMessage } from "../session/save-message.ts";
import { store } from "../session/store.ts";
import { showError, showToast } from "../session/toasts.ts";
import { roomById } from "../state/model/model.ts";
import { directPath, messagePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

type RowProps = { item: Saved; onGone(): void };

/** A saved message. A swipe on a touch screen marks it as done, or reopens it. */
export function SavedRow(props: RowProps) {
  const { message, room, note, saved_at } = props.item;
  return (
    <ListRow
      href={pathOf(props.item)}
      mark={<Avatar user={message.author} size={32} />}
      title={senderOf(message)}
      place={
        room.name === null ? (
          describePlace(message.room_id, room)
        ) : (
          <RoomName
            room={roomById(store.state.value, room.id) ?? { privacy: "open" }}
            name={describePlace(message.room_id, room)}
          />
        )
      }
      at={saved_at}
      text={<MessageLine message={message} />}
      actions={savedActions(props)}
      onSwipe={() => toggleDone(props)}
    >
      {note && (
        <span class="row-note clamp muted" dir="auto">
          {note}
        </span>
      )}
      <Reminder item={props.item} />
    </ListRow>
  );
}

function savedActions(props: RowProps): RowAction[] {
  const { item, onGone } = props;
  const { message, done_at } = item;
  const toggle = () => toggleDone(props);
  const remove = () => removeSaved(item, onGone);
  const remind = () => openDialog({ name: "remind", messageId: message.id, saved: item });
  const removal = { icon: X, label: t("later.remove"), shortcut: "S", onSelect: remove };
  if (done_at)
    return [{ icon: Undo2, label: t("later.reopen"), shortcut: "E", onSelect: toggle }, removal];
  return [
    { icon: Check, label: t("action.mark-done"), shortcut: "E", onSelect: toggle },
    { icon: AlarmClock, label: t("later.remind"), shortcut: "Shift+S", onSelect: remind },
    removal,
  ];
}

function toggleDone({ item, onGone }: RowProps): void {
  if (item.done_at) reopen(item, onGone);
  else markDone(item, onGone);
}

function Reminder({ item: { remind_at, reminded_at, done_at } }: { item: Saved }) {
  if (!remind_at || done_at) return null;
  const when = whenAhead(new Date(remind_at));
  return (
    <span class={`small ${reminded_at ? "due danger" : "muted"}`}>
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
    showToast(t("is-done"), () => back(item));
  }, showError);
}

function reopen(item: Saved, onGone: () => void): void {
  saveMessage(item.message.id, {}).then(() => {
    onGone();
    showToast(t("later.is-open"), () => void finishMessage(item.message.id).catch(showError));
  }, showError);
}

function removeSaved(item: Saved, onGone: () => void): void {
  unsaveMessage(item.message.id).then(() => {
    onGone();
    showToast(t("later.is-removed"), () => back(item));
  }, showError);
}

/** Saves the message again as it was; a reminder whose time has passed is not set again. */
function back({ message, note, remind_at, reminded_at }: Saved): void {
  const reminder = reminded_at ? {} : { remind_at };
  saveMessage(message.id, { note, ...reminder }).catch(showError);
}
