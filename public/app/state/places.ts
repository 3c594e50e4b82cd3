/** Where one was in a room's history: which message stood how many pixels below the upper edge. */
export type Place = { id: string; seq: number; top: number };

/** Rooms that one left somewhere else than at their newest message, while the page is open. */
export const places = new Map<string, Place>();
