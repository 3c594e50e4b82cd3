import { Bell, BellOff, BellDot } from "lucide";
import type { MyRoom, Notify } from "../../../src/wire/models.ts";
import { store, toast } from "../app.ts";
import { ApiError } from "../connection/api.ts";
import { Menu } from "../parts/menu.tsx";

const CHOICES: [Notify, label: string, said: string][] = [
  ["all", "Every message", "You are notified of every message"],
  ["mentions", "Mentions of me", "You are notified where someone mentions you"],
  ["none", "Nothing", "You are not notified"],
];
const ICONS = { all: Bell, mentions: BellDot, none: BellOff };

/** What of this room is pushed to one's devices. */
export function NotifyMenu({ room }: { room: MyRoom }) {
  const now = room.membership?.notify ?? "all";
  const choose = (notify: Notify, said: string) =>
    store.api.patch<MyRoom>(`/api/rooms/${room.id}/membership`, { notify }).then(
      (changed) => {
        store.keepRoom(changed);
        toast(`${said} in #${room.name}.`);
      },
      (error) => toast(error instanceof ApiError ? error.detail : "That did not work. Try again."),
    );
  return (
    <Menu
      icon={ICONS[now]}
      label="Notifications of this room"
      items={CHOICES.map(([notify, label, said]) => ({
        label,
        checked: notify === now,
        onSelect: () => void choose(notify, said),
      }))}
    />
  );
}
