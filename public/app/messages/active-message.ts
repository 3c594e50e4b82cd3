import { signal } from "@preact/signals";
import { nameOfKey } from "../parts/key-names.ts";
import { moveFocus, UP_AND_DOWN } from "../parts/move-focus.ts";
import { usesLetters } from "../session/keys.ts";

/** Rows and tiles of messages, except those folded in a gallery. */
const SHOWN = "[data-message-id]:not(.folded)";

/** The keys of the hovered and the focused row: only these render their toolbar. */
export const hovered = signal<string | null>(null);
export const focused = signal<string | null>(null);

/** The key of a row. The root of a thread has two rows: in the room and in its thread. */
export const rowKey = (id: string, inThread?: string) => (inThread ? `${inThread} ${id}` : id);

type On<E> = E & { currentTarget: HTMLElement };

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-message-id]") : null;
/** If a message's text has its own row, its picture is in a gallery below. */
const idOf = (target: EventTarget | null) =>
  rowOf(target)?.dataset.row ??
  (target instanceof Element
    ? (target.closest<HTMLElement>("[data-part-of]")?.dataset.partOf ?? null)
    : null);

/** Shortcuts of the actions in the menu, for messages with a toolbar, by the key of the row. */
export const actionKeys = new Map<string, Record<string, () => void>>();
const OPEN_TOOL = '.tools [aria-expanded="true"]';

/** The buttons of a toolbar, except those of an open menu. */
const TOOL = ":is(.tools > button, .tools > span > button)";

/**
 * Presses the toolbar button of a message, or runs the action of its menu, whose shortcut is the
 * pressed key. This requires the keyboard focus on a message or a control in it, because elsewhere
 * letters are text.
 */
function pressTool(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return false;
  if (!target.matches(":focus-visible") || usesLetters(target)) return false;
  const name = nameOfKey(event);
  const row = rowOf(target);
  const tools = [...(row?.querySelectorAll<HTMLElement>(`${TOOL}[aria-keyshortcuts]`) ?? [])];
  const tool = tools.find((tool) => tool.getAttribute("aria-keyshortcuts") === name);
  const run = tool ? () => tool.click() : actionKeys.get(row?.dataset.row ?? "")?.[name];
  run?.();
  return run !== undefined;
}

/**
 * Event handlers of the list that track hover and focus, and move the focus with the arrow keys.
 */
export const messageListHandlers = {
  onPointerOver({ target, pointerType, currentTarget }: On<PointerEvent>) {
    // Touch screens have the message sheet instead. An open menu keeps its toolbar.
    if (pointerType === "touch" || currentTarget.querySelector(OPEN_TOOL)) return;
    hovered.value = idOf(target);
  },
  onPointerLeave() {
    hovered.value = null;
  },
  onFocusIn({ target }: FocusEvent) {
    // Ignore focus that a tap has moved, but keep the actions while the focus is inside them.
    const counts = target instanceof Element && target.matches(":focus-visible, .tools *");
    focused.value = counts ? idOf(target) : null;
    // The pointer may rest on another message while the keyboard is used.
    if (target instanceof Element && target.matches(":focus-visible")) hovered.value = null;
  },
  onFocusOut({ relatedTarget }: FocusEvent) {
    focused.value = idOf(relatedTarget);
  },
  onKeyDown(event: On<KeyboardEvent>) {
    if (pressTool(event)) return event.preventDefault();
    if (event.key === "Enter" && event.target instanceof Element && event.target.matches(".fold")) {
      return event.target.querySelector("a")?.click();
    }
    // Fields and menus inside a message handle the arrow keys themselves.
    if (event.target !== rowOf(event.target)) return;
    moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>(SHOWN)], UP_AND_DOWN);
  },
};
