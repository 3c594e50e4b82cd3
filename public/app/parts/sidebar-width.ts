import { effect, signal } from "@preact/signals";
import { storeIfSpace, localStore } from "../connection/storage.ts";

/** The limits of the sidebar's width, in px. */
export const MIN_WIDTH = 200;
export const MAX_WIDTH = 360;
const DEFAULT_WIDTH = 264;
const KEY = "snug.sidebar";

const within = (width: number) => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));

/** The sidebar's width on this device, in px. */
export const sidebarWidth = signal(within(Number(localStore.getItem(KEY)) || DEFAULT_WIDTH));

/** @param width null for the default */
export function resizeSidebar(width: number | null): void {
  sidebarWidth.value = within(width ?? DEFAULT_WIDTH);
  storeIfSpace(localStore, KEY, String(sidebarWidth.value));
}

/** Applies the width, before the first render so that nothing moves. */
export function watchSidebarWidth(): void {
  effect(() => {
    document.documentElement.style.setProperty("--sidebar-width", `${sidebarWidth.value}px`);
  });
}
