import type { Message } from "../../../src/wire/models.ts";

/** One line of a room's history as it is drawn. */
export type Row =
  | { kind: "day"; key: string; at: string }
  | { kind: "new"; key: string }
  | { kind: "message"; key: string; message: Message; head: boolean };

const SAME_HEAD_MS = 5 * 60_000;

/**
 * Messages with day dividers, a line before the first unread one, and heads where the author
 * changes or five minutes have passed.
 * @param dayOf names the local day of a time
 * @param firstUnread the id of the first message that is new, if any
 */
export function timeline(
  messages: Message[],
  dayOf: (at: string) => string,
  firstUnread: string | null,
): Row[] {
  const rows: Row[] = [];
  let last: Message | null = null;
  for (const message of messages) {
    const newDay: boolean = !last || dayOf(last.created_at) !== dayOf(message.created_at);
    const isFirstUnread = message.id === firstUnread;
    if (newDay) rows.push({ kind: "day", key: `day ${message.id}`, at: message.created_at });
    if (isFirstUnread) rows.push({ kind: "new", key: "new" });
    const head: boolean = newDay || isFirstUnread || !last || !follows(last, message);
    rows.push({ kind: "message", key: message.id, message, head });
    last = message;
  }
  return rows;
}

function follows(last: Message, message: Message): boolean {
  return (
    last.author.id === message.author.id &&
    last.via?.name === message.via?.name &&
    Date.parse(message.created_at) - Date.parse(last.created_at) < SAME_HEAD_MS
  );
}
