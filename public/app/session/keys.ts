import { navigateTo } from "./navigation.ts";
import { overlay, typedAhead } from "./overlay.ts";

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
      overlay.value = { name: "read-all" };
    } else if (isShiftCommand(event, "k")) {
      event.preventDefault();
      overlay.value = { name: "new-message" };
    } else if (isCommand(event, "/")) {
      event.preventDefault();
      overlay.value = overlay.value?.name === "shortcuts" ? null : { name: "shortcuts" };
    } else if (overlay.value?.name === "switcher" && !document.querySelector("dialog[open]")) {
      typeAhead(event);
    } else if (isRoomStep(event)) {
      event.preventDefault();
      openRoomBeside(event.key === "ArrowUp" ? -1 : 1, event.shiftKey);
    } else if (event.key === "?" && !isField(event.target) && !overlay.value) {
      overlay.value = { name: "shortcuts" };
    } else if (writes(event)) {
      // The key goes to the element that has the focus when this handler returns.
      const pane = event.target instanceof Element ? event.target.closest(".pane") : null;
      (pane ?? document).querySelector<HTMLElement>(".composer textarea")?.focus();
    }
  });
}

/** Whether Ctrl or Cmd is pressed with this key; some layouts type the slash with Shift. */
function isCommand(event: KeyboardEvent, key: string, withShift = false): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  if (key !== "/" && event.shiftKey !== withShift) return false;
  return event.key.toLowerCase() === key;
}

/** Whether Alt and an arrow are pressed, and no dialog is open. */
function isRoomStep({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isArrow = key === "ArrowUp" || key === "ArrowDown";
  return isArrow && altKey && !ctrlKey && !metaKey && !document.querySelector("dialog[open]");
}

/** Opens the room above or below in the sidebar, in the order that it shows; the ends meet. */
function openRoomBeside(step: 1 | -1, isUnread: boolean): void {
  const all = [...document.querySelectorAll<HTMLAnchorElement>(".sidebar nav li a.room-link")];
  const at = all.findIndex((link) => link.getAttribute("aria-current") === "page");
  // If no room is open, the first or the last one is next.
  const start = at === -1 && step === -1 ? 0 : at;
  for (let i = 1; i <= all.length; i++) {
    const link = all[(start + step * i + all.length * 2) % all.length];
    if (link === all[at]) return;
    if (!link || (isUnread && !link.classList.contains("unread"))) continue;
    link.scrollIntoView({ block: "nearest" });
    link.click();
    return;
  }
}

/** Whether Ctrl or Cmd is pressed together with Shift and this key. @param key in lower case */
export function isShiftCommand(event: KeyboardEvent, key: string): boolean {
  const isPressed = (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey;
  return isPressed && event.key.toLowerCase() === key;
}

/** Stores typed keys for the switcher, which takes them over when it opens. */
function typeAhead(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") overlay.value = null;
  else if (event.key === "Backspace") typedAhead.value = typedAhead.value.slice(0, -1);
  else if (event.key.length === 1) typedAhead.value += event.key;
  event.preventDefault();
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, textarea, select") !== null;

/** Whether a key writes text outside of any field: a letter or a paste. */
function writes({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (isField(target) || overlay.value || document.querySelector("dialog[open]")) return false;
  if (target instanceof Element && target.closest("[role=menu], [popover]")) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === "v" && !altKey;
  // The space bar scrolls, or presses a button.
  return (key.length === 1 && key !== " ") || key === "Dead";
}
