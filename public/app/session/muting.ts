import { Bell, BellOff, Clock } from "lucide";
import type { MyRoom, Notify } from "../../../src/wire/models.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { untilTime } from "../parts/times.ts";
import { isMuted } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";
import { nameOfPlace } from "./direct.ts";
import { changeMembership } from "./membership.ts";
import { PAUSES } from "./pause-notifications.ts";
import { describeMute } from "./row-signs.tsx";
import { reportOutcome } from "./toasts.ts";

/** Which messages notify, and until when the room is muted. */
export type Notifications = { notify?: Notify; muted_until?: string | null };

/** Changes which messages of a room or conversation notify, and shows a toast with Undo. */
export function setNotifications(room: MyRoom, change: Notifications): void {
  const { notify = "all", muted_until = null } = room.membership ?? {};
  const undo = () => changeMembership(room.id, { notify, muted_until });
  reportOutcome(
    changeMembership(room.id, change),
    () => describeChange(room, change),
    () => reportOutcome(undo(), () => t("room-menu.undone")),
  );
}

function describeChange(room: MyRoom, { notify, muted_until }: Notifications): string {
  const place = nameOfPlace(room);
  if (muted_until) return t("mute.until-done", { place, when: untilTime(muted_until) });
  if (notify === "none") return t("mute.done", { place });
  return notify === "mentions" || (notify === "all" && !isMuted(room.membership))
    ? t(`notified.${notify}`, { place })
    : t("mute.ended", { place });
}

/**
 * Unmutes a room or conversation. A mute that had an end leaves the notification level as it was.
 */
export function unmute(room: MyRoom): void {
  setNotifications(
    room,
    room.membership?.notify === "none" ? { notify: "all" } : { muted_until: null },
  );
}

/** The item that mutes a room or conversation for a time. */
export function muteForItem(room: MyRoom): MenuItem {
  const items = PAUSES.map(([key, end]) => ({
    label: t(`until.${key}`),
    onSelect: () => setNotifications(room, { muted_until: end().toISOString() }),
  }));
  return { label: t("mute.for"), items };
}

/** The items that mute a room or conversation, or the one that unmutes it. */
export function muteItems(room: MyRoom): MenuItem[] {
  if (!isMuted(room.membership)) {
    const onSelect = () => setNotifications(room, { notify: "none" });
    return [
      { label: t("notify.none"), icon: BellOff, onSelect },
      { ...muteForItem(room), icon: Clock },
    ];
  }
  const until = room.membership?.muted_until;
  const label = t("room-menu.unmute");
  return [
    {
      label: until ? `${label} · ${describeMute(until)}` : label,
      icon: Bell,
      onSelect: () => unmute(room),
    },
  ];
}
