import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Me, MyRoom } from "../../../src/wire/models.ts";
import { isQuiet } from "../../../src/wire/quiet-hours.ts";
import { background } from "../session/navigation.ts";
import { playSound } from "../session/play-sound.ts";
import { store } from "../session/store.ts";

/** The shortest time between two sounds, in all tabs together. */
const REST_MS = 2_000;

type Rooms = Record<string, MyRoom>;

/** Plays the chosen sound for what the reader is notified of, in one of the browser's tabs. */
export function useSounds(): void {
  useEffect(() => {
    let before: Rooms | null = null;
    return effect(() => {
      const { me, rooms } = store.state.value;
      if (rooms === before) return;
      const known = before;
      before = rooms;
      if (!me || !rooms || !known || me.sound === "none") return;
      if (Object.values(rooms).some((room) => isNews(room, known[room.id])) && mayPlay(me)) {
        void playOnce(me);
      }
    });
  }, []);
}

/** Whether something has come that this room notifies of, and that is not being looked at. */
function isNews(room: MyRoom, before: MyRoom | undefined): boolean {
  const { membership } = room;
  if (room === before || !before?.membership || !membership || membership.notify === "none") {
    return false;
  }
  const here = background.peek().route;
  if (document.hasFocus() && here.name === "room" && here.room === room.name) return false;
  if (membership.mention_count > before.membership.mention_count) return true;
  const isNewer = (room.last_message_at ?? "") > (before.last_message_at ?? "");
  return membership.notify === "all" && membership.unread && isNewer;
}

function mayPlay({ quiet_hours, push_paused_until }: Me): boolean {
  const now = new Date();
  if (isQuiet(quiet_hours, now)) return false;
  if (push_paused_until && Date.parse(push_paused_until) > now.getTime()) return false;
  // A notification of the system makes its own sound.
  const isPushed = "Notification" in globalThis && Notification.permission === "granted";
  return !(document.hidden && isPushed);
}

/** The first tab that takes the lock plays, and holds it for a while. */
async function playOnce({ sound }: Me): Promise<void> {
  await navigator.locks.request("snug.sound", { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await playSound(sound);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  });
}
