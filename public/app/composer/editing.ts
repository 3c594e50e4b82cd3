import { signal } from "@preact/signals";

/** The id of the message that is being edited. */
export const editing = signal<string | null>(null);
