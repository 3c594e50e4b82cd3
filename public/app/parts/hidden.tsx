import type { ComponentChildren } from "preact";

/** A part of a message that is heard and not seen: which of many a button is about. */
export function hidden(inner: ComponentChildren) {
  return <span class="visually-hidden">{inner}</span>;
}
