import { signal } from "@preact/signals";
import { nameOfKey } from "../parts/key-names.ts";
import { moveFocus, UP_AND_DOWN } from "../parts/move-focus.ts";

/** Rows and tiles of messages, without those of a folded gallery. */
const SHOWN = "[data-message-id]:not(.folded)";

/** The keys of the hovered and the focused row: only these render their toolbar. */
export const hovered = signal<string | null>(null);
export const focused = signal<string | null>(null);

/** The key of a row: the root of a thread has a row in the room and one in its thread. */
export const rowKey = (id: string, inThread?: string) => (inThread ? `${inThread} ${id}` : id);

type On<E> = E & { currentTarget: HTMLElement };

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-message-id]") : null;
/** The picture of a message whose text has a row of its own is in a gallery below it. */
const idOf = (target: EventTarget | null) =>
  rowOf(target)?.dataset.row ??
  (target instanceof Element
    ? (target.closest<HTMLElement>("[data-part-of]")?.dataset.partOf ?? null)
    : null);

/** The shortcuts of messages with a toolbar, by the key of the row: the actions of its menu. */
export const actionKeys = new Map<string, Record<string, () => void>>();
/** The buttons of a toolbar, without those of an open menu. */
const TOOL = ":is(.tools > button, .tools > span > button)";

/**
 * Presses the button of a message's toolbar whose shortcut is a key, or runs the action of its menu: for messages that are focused by
 * keyboard only, since elsewhere letters write.
 */
function pressTool(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return false;
  if (!target.matches(`[data-message-id]:focus-visible, ${TOOL}:focus-visible`)) return false;
  const name = nameOfKey(event);
  const row = rowOf(target);
  const tools = [...(row?.querySelectorAll<HTMLElement>(`${TOOL}[aria-keyshortcuts]`) ?? [])];
  const tool = tools.find((tool) => tool.getAttribute("aria-keyshortcuts") === name);
  const run = tool ? () => tool.click() : actionKeys.get(row?.dataset.row ?? "")?.[name];
  run?.();
  return run !== undefined;
}

/** Handlers of the list that follow hover and focus, and move the focus with the arrow keys. */
export const following = {
  onPointerOver({ target, pointerType }: PointerEvent) {
    // Touch screens have the message sheet instead.
    if (pointerType !== "touch") hovered.value = idOf(target);
  },
  onPointerLeave() {
    hovered.value = null;
  },
  onFocusIn({ target }: FocusEvent) {
    // A tap moves the focus too, and is ignored; focus inside the actions keeps them.
    const counts = target instanceof Element && target.matches(":focus-visible, .tools *");
    focused.value = counts ? idOf(target) : null;
  },
  onFocusOut({ relatedTarget }: FocusEvent) {
    focused.value = idOf(relatedTarget);
  },
  onKeyDown(event: On<KeyboardEvent>) {
    if (pressTool(event)) return event.preventDefault();
    if (event.key === "Enter" && event.target instanceof Element && event.target.matches(".fold")) {
      return event.target.querySelector("a")?.click();
    }
    // Fields and menus inside a message use the arrow keys themselves.
    if (event.target !== rowOf(event.target)) return;
    moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>(SHOWN)], UP_AND_DOWN);
  },
};
