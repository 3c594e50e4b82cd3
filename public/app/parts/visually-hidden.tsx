import type { ComponentChildren } from "preact";

/** Text for screen readers only, such as which of many items a button is about. */
export function visuallyHidden(inner: ComponentChildren) {
  return <span class="visually-hidden">{inner}</span>;
}
