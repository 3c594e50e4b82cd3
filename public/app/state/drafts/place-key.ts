/** The place of a draft: a room or conversation, or a thread in one. */
export type DraftPlace = { roomId: string; threadId: string | null };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The key of a draft among those of one person. A conversation that does not exist yet has no id on
 * the service.
 */
export const placeKey = ({ roomId, threadId }: DraftPlace) =>
  threadId ? `${roomId}.${threadId}` : roomId;

/** @returns null for a key that is not of a room of the service */
export function readPlace(key: string): DraftPlace | null {
  const [roomId = "", threadId = null] = key.split(".");
  return UUID.test(roomId) ? { roomId, threadId } : null;
}
