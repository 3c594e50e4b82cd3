import { signal } from "@preact/signals";
import { describeError } from "../words/describe-error.ts";

export type Toast = { id: number; text: string; undo?: () => void; label?: string };

/** The toasts at the bottom of the page, the newest last. */
export const toasts = signal<Toast[]>([]);
let lastId = 0;

/**
 * Shows a text for some seconds. A text without a button is not repeated while it is shown.
 * @param undo adds a button that undoes what the text reports
 * @param label the button's text if it does something else
 */
export function showToast(text: string, undo?: () => void, label?: string): void {
  lastId += 1;
  const others = toasts.value.filter((toast) => undo || toast.undo || toast.text !== text);
  toasts.value = [...others, { id: lastId, text, undo, label }];
}

export function closeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function showError(error: unknown): void {
  showToast(describeError(error));
}

/** Shows the outcome of a menu action, or its error. */
export function reportOutcome(
  action: Promise<unknown>,
  describeSuccess: () => string,
  undo?: () => void,
): void {
  action.then(() => showToast(describeSuccess(), undo), showError);
}
