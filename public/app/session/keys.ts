import { signal } from "@preact/signals";
import { storeIfSpace, localStore } from "../connection/storage.ts";
import { loadRest } from "../parts/load-rest.tsx";
import { navigateTo } from "./navigation.ts";
import { openDialog, overlay, typedAhead } from "./overlay.ts";
import { showError } from "./toasts.ts";

const KEY = "snug.letter-keys";

/**
 * Whether shortcuts without Ctrl or Cmd work outside of fields, on this device. Speech input may
 * type letters that the user did not mean as shortcuts (WCAG 2.1.4).
 */
export const hasLetterKeys = signal(localStore.getItem(KEY) === null);

export function setLetterKeys(isOn: boolean): void {
  hasLetterKeys.value = isOn;
  storeIfSpace(localStore, KEY, isOn ? null : "off");
}

/** Handles the keys that work on every screen. */
export function watchKeys(): void {
  addEventListener("keydown", (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (isCommand(event, "k")) {
      event.preventDefault();
      typedAhead.value = "";
      overlay.value = overlay.value?.name === "switcher" ? null : { name: "switcher" };
    } else if (["a", "f", "l"].some((key) => isShiftCommand(event, key))) {
      event.preventDefault();
      overlay.value = null;
      const search = `${location.pathname}?q=in:here`;
      navigateTo({ a: "/activity", f: search, l: "/threads" }[event.key.toLowerCase()] ?? "/");
    } else if (event.key === "Escape" && event.shiftKey && !overlay.value) {
      event.preventDefault();
      openDialog({ name: "read-all" });
    } else if (isShiftCommand(event, "k")) {
      event.preventDefault();
      openDialog({ name: "new-message" });
    } else if (isShiftCommand(event, "e") && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      loadRest().then(({ reactToNewest }) => reactToNewest(), showError);
    } else if (isCommand(event, "/")) {
      event.preventDefault();
      overlay.value = overlay.value?.name === "shortcuts" ? null : { name: "shortcuts" };
    } else if (overlay.value?.name === "switcher" && !document.querySelector("dialog[open]")) {
      typeAhead(event);
    } else if (isRoomStep(event)) {
      event.preventDefault();
      const step = event.key === "ArrowUp" ? -1 : 1;
      const isUnread = event.shiftKey;
      loadRest().then(({ openRoomBeside }) => openRoomBeside(step, isUnread), showError);
    } else if (!hasLetterKeys.value) {
      // Letters are left to the focused element.
    } else if (event.key === "?" && !isField(event.target) && !overlay.value) {
      openDialog({ name: "shortcuts" });
    } else if (writes(event)) {
      // The browser sends the key to the element that has the focus when this handler returns.
      const pane = event.target instanceof Element ? event.target.closest(".pane") : null;
      (pane ?? document).querySelector<HTMLElement>(".composer textarea")?.focus();
    }
  });
}

/** Whether Ctrl or Cmd is pressed with this key. Some layouts need Shift to type the slash. */
function isCommand(event: KeyboardEvent, key: string, withShift = false): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  if (key !== "/" && event.shiftKey !== withShift) return false;
  return event.key.toLowerCase() === key;
}

/** Whether the key is Alt with an arrow, and no dialog is open. */
function isRoomStep({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isArrow = key === "ArrowUp" || key === "ArrowDown";
  return isArrow && altKey && !ctrlKey && !metaKey && !document.querySelector("dialog[open]");
}

/**
 * Whether Ctrl or Cmd and Shift are pressed with this key.
 * @param key in lower case
 */
export function isShiftCommand(event: KeyboardEvent, key: string): boolean {
  const isPressed = (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey;
  return isPressed && event.key.toLowerCase() === key;
}

/** Stores typed characters for the switcher, which reads them when it opens. */
function typeAhead(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") overlay.value = null;
  else if (event.key === "Backspace") typedAhead.value = typedAhead.value.slice(0, -1);
  else if (event.key.length === 1) typedAhead.value += event.key;
  event.preventDefault();
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, textarea, select") !== null;

/** Whether an element uses letters itself: a field, or anything in a menu or another popover. */
export const usesLetters = (target: EventTarget | null) =>
  isField(target) ||
  (target instanceof Element && target.closest("[role=menu], [popover]") !== null);

/** Whether a key types or pastes text outside of any field. */
function writes({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (usesLetters(target) || overlay.value || document.querySelector("dialog[open]")) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === "v" && !altKey;
  // The space bar scrolls or presses buttons.
  return (key.length === 1 && key !== " ") || key === "Dead";
}
