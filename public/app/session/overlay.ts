import { signal } from "@preact/signals";
import type { MyRoom, User } from "../../../src/wire/models.ts";

/** A dialog without its own address, with what it needs. Its component is in shell/dialogs.tsx. */
export type Overlay =
  | { name: "switcher" }
  | { name: "shortcuts" }
  | { name: "create-room" }
  | { name: "person"; user: User }
  | { name: "jump"; room: MyRoom }
  | { name: "message"; roomId: string; messageId: string };

export const overlay = signal<Overlay | null>(null);

/** Opens the switcher with Ctrl or Cmd and K, and the shortcuts with `?` outside text fields. */
export function watchKeys(): void {
  addEventListener("keydown", (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "k") {
      event.preventDefault();
      overlay.value = overlay.value?.name === "switcher" ? null : { name: "switcher" };
    }
    const { target } = event;
    const writes = target instanceof Element && target.closest("input, textarea, select");
    if (event.key === "?" && !writes && !overlay.value) overlay.value = { name: "shortcuts" };
  });
}
