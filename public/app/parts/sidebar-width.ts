import { effect, signal } from "@preact/signals";

/** How wide the list of rooms may be, in px. */
export const LEAST = 200;
export const MOST = 360;
const USUAL = 264;
const KEY = "snug.sidebar";

const within = (width: number) => Math.round(Math.min(MOST, Math.max(LEAST, width)));

/** How wide the list of rooms is on this device. */
export const sidebarWidth = signal(within(Number(localStorage.getItem(KEY)) || USUAL));

/** @param width null for the usual one */
export function resizeSidebar(width: number | null): void {
  sidebarWidth.value = within(width ?? USUAL);
  localStorage.setItem(KEY, String(sidebarWidth.value));
}

/** Before anything is drawn, so that nothing jumps. */
export function watchSidebarWidth(): void {
  effect(() => {
    document.documentElement.style.setProperty("--sidebar-width", `${sidebarWidth.value}px`);
  });
}
