import type { EmbeddingRow } from "./statements.ts";
import type { Message } from "../wire/models.ts";

/** Messages as JSON, without what differs by viewer: the form in which pages are cached. */
export type PageTexts = {
  /** JSON of each message, in their order. */
  texts: string[];
  /** The `client_id` of messages that have one, which only their authors see. */
  clientIds: { index: number; authorId: string; clientId: string }[];
};

/** @param toMessage as the viewer may see it for whom the rows were read */
export function toPageTexts(
  rows: EmbeddingRow[],
  toMessage: (row: EmbeddingRow) => Message,
): PageTexts {
  return {
    texts: rows.map((row) => JSON.stringify({ ...toMessage(row), client_id: null })),
    clientIds: rows.flatMap(({ author_id: authorId, client_id: clientId }, index) =>
      clientId === null ? [] : { index, authorId, clientId },
    ),
  };
}

/** Whether the same texts are for everyone in the room: which rooms a viewer knows of differs. */
export function areShared(rows: EmbeddingRow[]): boolean {
  return rows.every((row) => !row.embeds?.room_references);
}

/** About how much memory they take. */
export function sizeOfTexts({ texts }: PageTexts): number {
  return texts.reduce((sum, text) => sum + text.length, 500);
}

/** The texts with the viewer's own `client_id`s. */
export function textsFor({ texts, clientIds }: PageTexts, viewerId: string): string[] {
  const own = clientIds.filter(({ authorId }) => authorId === viewerId);
  if (own.length === 0) return texts;
  const shown = [...texts];
  for (const { index, clientId } of own) {
    shown[index] = addClientId(texts[index] as string, clientId);
  }
  return shown;
}

/** The JSON of a message with its `client_id`, for its author. */
export function addClientId(message: string, clientId: string): string {
  return JSON.stringify({ ...(JSON.parse(message) as Message), client_id: clientId });
}
