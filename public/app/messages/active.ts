import { signal } from "@preact/signals";

/** The ids of the messages under the pointer and with the focus: only they have their actions drawn. */
export const hovered = signal<string | null>(null);
export const focused = signal<string | null>(null);

type On<E> = E & { currentTarget: HTMLElement };

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-message-id]") : null;
const idOf = (target: EventTarget | null) => rowOf(target)?.dataset.messageId ?? null;

/** Handlers for the list: they follow the pointer and the focus, and move that with the arrows. */
export const following = {
  onPointerOver({ target, pointerType }: PointerEvent) {
    // A finger has a sheet of actions of its own.
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
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    // In a field or a menu within a message the arrows are its own.
    if (
      step === 0 ||
      !(event.target instanceof HTMLElement) ||
      event.target !== rowOf(event.target)
    )
      return;
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-message-id]")];
    const next = rows[rows.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  },
};
