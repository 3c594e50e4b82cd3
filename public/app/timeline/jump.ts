import { signal } from "@preact/signals";

/** A day of a room's history that is asked for: the room's timeline goes there. */
export const jump = signal<{ roomId: string; at: string } | null>(null);
