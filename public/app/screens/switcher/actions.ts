import { go, store, toast } from "../../app.ts";
import { overlay } from "../../overlay.ts";
import type { Choice } from "../../state/choices.ts";
import { roomList } from "../../state/model.ts";
import { markRead } from "../use-read-mark.ts";

/** What can be done from anywhere. */
export function actionChoices(): Choice[] {
  const to = (label: string, path: string): Choice => ({
    kind: "action",
    key: path,
    label,
    run: () => go(path),
  });
  return [
    to("Browse rooms", "/browse"),
    {
      kind: "action",
      key: "create-room",
      label: "Create a room",
      run: () => {
        overlay.value = { name: "create-room" };
      },
    },
    { kind: "action", key: "read-all", label: "Mark all rooms read", run: markAllRead },
    to("Your profile", "/profile"),
    to("Appearance", "/profile/appearance"),
    to("Notifications", "/profile/notifications"),
    to("Change your password", "/profile/password"),
    to("Where you are signed in", "/profile/sessions"),
    ...(store.me.value?.is_site_admin ? [to("Administration", "/admin/people")] : []),
    {
      kind: "action",
      key: "shortcuts",
      label: "Keyboard shortcuts",
      run: () => {
        overlay.value = { name: "shortcuts" };
      },
    },
  ];
}

function markAllRead(): void {
  for (const room of roomList(store.state.value)) markRead(room);
  toast("All rooms are read.");
}
