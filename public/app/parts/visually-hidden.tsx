import type { ComponentChildren } from "preact";

/** Text for screen readers only, such as the item that a button belongs to. */
export function visuallyHidden(inner: ComponentChildren) {
  return <span class="visually-hidden">{inner}</span>;
}
