/** The place in a room's history: a message, and its distance in pixels from the upper edge. */
export type Place = { id: string; seq: number; top: number };

/** The places of rooms that were left above their newest message, while the page is open. */
export const places = new Map<string, Place>();
