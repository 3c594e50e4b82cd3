import { signal } from "@preact/signals";

/** The id of the image in the lightbox; null while it is closed. */
export const lightbox = signal<string | null>(null);
