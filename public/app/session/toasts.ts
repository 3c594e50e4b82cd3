import { signal } from "@preact/signals";
import { describeError } from "../words/describe-error.ts";

export type Toast = { id: number; text: string; undo?: () => void; label?: string };

/** The toasts that are shown at the bottom of the page, the newest last. What shows them closes them. */
export const toasts = signal<Toast[]>([]);
let lastId = 0;

/**
 * Shows a text for some seconds; one that is shown already, and offers nothing, is not repeated.
 * @param undo adds a button that undoes what the text reports
 * @param label the button's text if it does something else
 */
export function showToast(text: string, undo?: () => void, label?: string): void {
  lastId += 1;
  const others = toasts.value.filter((toast) => undo || toast.undo || toast.text !== text);
  toasts.value = [...others, { id: lastId, text, undo, label }];
}

/** Closes a toast, even before its time is over. */
export function closeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Shows what went wrong, in words for people. */
export function showError(error: unknown): void {
  showToast(describeError(error));
}

/** Shows what an action of a menu did, or why it failed. */
export function reportOutcome(
  action: Promise<unknown>,
  describeSuccess: () => string,
  undo?: () => void,
): void {
  action.then(() => showToast(describeSuccess(), undo), showError);
}
