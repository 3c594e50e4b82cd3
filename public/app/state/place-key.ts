/** Where a draft belongs: a room or conversation, or a thread of one. */
export type DraftPlace = { roomId: string; threadId: string | null };

/** A draft's key within those of one person. A conversation that is not begun has none on the service. */
export const placeKey = ({ roomId, threadId }: DraftPlace) =>
  threadId ? `${roomId}.${threadId}` : roomId;
