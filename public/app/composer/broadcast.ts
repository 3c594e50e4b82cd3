import { CONFIRM_BROADCAST_ABOVE, MAX_BROADCAST_MEMBERS } from "../../../src/wire/limits.ts";
import { extractReferences } from "../../../src/wire/markdown/extract.ts";
import type { Broadcast, MyRoom } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { broadcastCandidates, type Candidate } from "../state/completion.ts";
import { t } from "../words/translate.ts";

/** `@room` and `@here` with whom they reach, where I may use them. */
export function offerBroadcasts(roomId: string, query: string): Candidate[] {
  const room = store.state.value.rooms?.[roomId];
  if (!room || !mayBroadcast(room)) return [];
  return broadcastCandidates(query, (kind) =>
    kind === "room"
      ? t("composer.all-members", { count: room.member_count })
      : t("composer.online", { count: countOnline(roomId) ?? 0 }),
  );
}

/** Whether I may mention all members at once, as the service decides it. */
export function mayBroadcast({ member_count, membership }: MyRoom): boolean {
  return member_count <= MAX_BROADCAST_MEMBERS || (membership?.role ?? "member") !== "member";
}

/** @returns what a text says to all that I may not say here; null if all of it may be sent */
export function findRefusedBroadcast(room: MyRoom, text: string): Broadcast | null {
  return mayBroadcast(room) ? null : extractReferences(text).broadcast;
}

/**
 * Sends a text, after a question where it mentions more than a few people at once.
 * @param known what the text said to all before it was edited
 */
export function askBroadcast(
  room: MyRoom,
  text: string,
  send: () => void,
  known: Broadcast | null = null,
): void {
  const { broadcast } = extractReferences(text);
  const others = room.member_count - 1;
  const count = broadcast === "here" ? (countOnline(room.id) ?? others) : others;
  if (!broadcast || broadcast === known || count <= CONFIRM_BROADCAST_ABOVE) send();
  else overlay.value = { name: "broadcast", kind: broadcast, roomName: room.name, count, send };
}

/** Other members who are online; null while it is not known. */
function countOnline(roomId: string): number | null {
  const members = store.state.value.views[roomId]?.members;
  const me = store.me.value?.id;
  return members?.filter((one) => one.status === "online" && one.user.id !== me).length ?? null;
}
