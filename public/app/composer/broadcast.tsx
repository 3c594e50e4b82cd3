import { Megaphone } from "lucide";
import { CONFIRM_BROADCAST_ABOVE, MAX_BROADCAST_MEMBERS } from "../../../src/wire/limits.ts";
import { extractReferences } from "../../../src/wire/markdown/extract.ts";
import type { Broadcast, MyRoom } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { type DialogProps, openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import type { Candidate } from "../state/composer/completion-candidates.ts";
import { directOf } from "../state/model/conversation.ts";
import { roomById } from "../state/model/model.ts";
import { t } from "../words/translate.ts";

/** Names that other chats use for `@room` and `@here`. */
const NAMES: [kind: Broadcast, names: string[]][] = [
  ["room", ["room", "all", "channel", "everyone"]],
  ["here", ["here", "online"]],
];

/** Offers `@room` and `@here` with the number of people that each reaches, if I may use them. */
export function offerBroadcasts(roomId: string, query: string): Candidate[] {
  const room = roomById(store.state.value, roomId);
  if (!room || !mayBroadcast(room)) return [];
  const hintOf = (kind: Broadcast) =>
    kind === "room"
      ? t("broadcast.all-members", { count: room.member_count })
      : t("broadcast.online", { count: countOnline(roomId) ?? 0 });
  return NAMES.filter(([, names]) => names.some((name) => name.startsWith(query))).map(([kind]) => {
    const name = `@${kind}`;
    return { key: kind, insert: name, label: name, hint: hintOf(kind), icon: Megaphone };
  });
}

/** Whether I may mention all members at once, by the same rule as the service. */
function mayBroadcast(room: MyRoom): boolean {
  const { member_count, membership } = room;
  if (directOf(room)) return false;
  return member_count <= MAX_BROADCAST_MEMBERS || (membership?.role ?? "member") !== "member";
}

/**
 * Sends a text. Asks first if it mentions more than a few people at once, and refuses if I may not
 * mention them.
 * @param confirmedBroadcast the `@room` or `@here` of the text before it was edited
 */
export function askBroadcast(
  room: MyRoom,
  text: string,
  send: () => void,
  confirmedBroadcast: Broadcast | null,
): void {
  const { broadcast: kind } = extractReferences(text);
  const others = room.member_count - 1;
  const count = kind === "here" ? (countOnline(room.id) ?? others) : others;
  const isRefused = !mayBroadcast(room);
  if (!kind || kind === confirmedBroadcast || (!isRefused && count <= CONFIRM_BROADCAST_ABOVE))
    send();
  else openDialog({ name: "broadcast", kind, roomName: room.name, count, isRefused, send });
}

/** Other members who are online; null while unknown. */
function countOnline(roomId: string): number | null {
  const members = store.state.value.views[roomId]?.members;
  const me = store.me.value?.id;
  return (
    members?.filter((member) => member.status === "online" && member.user.id !== me).length ?? null
  );
}

/** Asks before a message mentions many people. */
export function BroadcastQuestion(props: DialogProps<"broadcast">) {
  const { kind, roomName, count, isRefused, send, onClose } = props;
  if (isRefused) {
    const name = `@${kind}`;
    return (
      <Dialog title={t("broadcast.refused-title", { name })} onClose={onClose}>
        <p>{t("broadcast.refused", { name })}</p>
        <div class="actions">
          <Button kind="primary" autofocus onClick={onClose}>
            {t("broadcast.back")}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("broadcast.title", { count })} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          send();
        }}
      >
        <p>
          {kind === "room"
            ? t("broadcast.room", { room: roomName, count })
            : t("broadcast.here", { room: roomName, count })}
        </p>
        <div class="actions">
          <Button onClick={onClose}>{t("broadcast.back")}</Button>
          <Button kind="primary" type="submit" autofocus>
            {t("composer.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
