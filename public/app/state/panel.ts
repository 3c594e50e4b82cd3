import type { Conversation } from "./model/conversation.ts";

const TABS = ["about", "members", "pins", "files", "settings"] as const;
/** A tab of the panel beside a room or a direct conversation, as in `panel` of the address. */
export type PanelTab = (typeof TABS)[number];

/** The tabs that apply: a conversation has no settings, and members only if it is a group. */
export function tabsOf(room: Conversation): PanelTab[] {
  return TABS.filter((tab) => {
    if (room.kind === "room") return true;
    return tab !== "settings" && (tab !== "members" || room.direct.kind === "group");
  });
}

/** The tab in an address; null if the address names no tab of this conversation. */
export function tabOf(name: string | null, room: Conversation): PanelTab | null {
  return tabsOf(room).find((tab) => tab === name) ?? null;
}
