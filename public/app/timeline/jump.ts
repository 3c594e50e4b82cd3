import { signal } from "@preact/signals";

/** The time that a room's timeline should scroll to; null for none. */
export const jump = signal<{ roomId: string; at: string } | null>(null);
