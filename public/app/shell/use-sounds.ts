import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Me } from "../../../src/wire/models.ts";
import { isQuiet } from "../../../src/wire/quiet-hours.ts";
import { playSound, startAudio } from "../session/play-sound.ts";
import { openConversation } from "../session/open-conversation.ts";
import { store } from "../session/store.ts";
import { findNotifiedPlace } from "../state/conversations/notifies.ts";
import type { Conversation } from "../state/model/conversation.ts";
import type { State } from "../state/model/model.ts";
import { isMuted } from "../state/model/unread.ts";

/** The minimum time between two sounds of all tabs, in milliseconds. */
const REST_MS = 2_000;

/** Plays the chosen sound for messages that notify the reader, in one tab of the browser. */
export function useSounds(): void {
  useEffect(() => {
    const ring = (roomId: string) => {
      const { me } = store.state.peek();
      if (me && me.sound !== "none" && !isLookedAt(roomId) && mayPlay(me)) {
        // Without a sound the message is still marked as new.
        playOnce(me).catch(() => {});
      }
    };
    const stop = store.onEvent((event, state) => {
      const roomId = findNotifiedPlace(state, event);
      if (roomId) ring(roomId);
    });
    let before: State["conversations"] = null;
    const end = effect(() => {
      const { conversations } = store.state.value;
      const previous = before;
      before = conversations;
      if (!conversations || !previous || conversations === previous) return;
      const room = Object.values(conversations).find((room) =>
        hasNewMention(room, previous[room.id]),
      );
      if (room) ring(room.id);
    });
    return () => {
      end();
      stop();
    };
  }, []);
}

/** Whether the reader has a new mention that the message's event does not show: a keyword. */
function hasNewMention(room: Conversation, before: Conversation | undefined): boolean {
  const { membership } = room;
  if (
    room === before ||
    room.kind !== "room" ||
    !before?.membership ||
    !membership ||
    isMuted(membership)
  ) {
    return false;
  }
  return membership.mention_count > before.membership.mention_count;
}

function isLookedAt(roomId: string): boolean {
  return document.hasFocus() && openConversation.peek()?.id === roomId;
}

function mayPlay({ quiet_hours, push_paused_until }: Me): boolean {
  if (push_paused_until || isQuiet(quiet_hours, new Date())) return false;
  // A notification of the operating system makes its own sound.
  const isPushed = "Notification" in globalThis && Notification.permission === "granted";
  return !(document.hidden && isPushed);
}

/** The first tab that can play the sound does, and holds the lock for a while. */
async function playOnce({ sound }: Me): Promise<void> {
  if (!(await startAudio())) return;
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return playSound(sound);
  await locks.request("snug.sound", { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await playSound(sound);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  });
}
