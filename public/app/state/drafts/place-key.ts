/** The place of a draft: a room or conversation, or a thread in one. */
export type DraftPlace = { roomId: string; threadId: string | null };

/**
 * The key of a draft among those of one person. A conversation that does not exist yet has no id on
 * the service.
 */
export const placeKey = ({ roomId, threadId }: DraftPlace) =>
  threadId ? `${roomId}.${threadId}` : roomId;
