import { signal } from "@preact/signals";

/** The id of the image that is looked at in full; null if none is. */
export const lightbox = signal<string | null>(null);
