import { type Actor, mayReadMessages } from "../routing/actor.ts";
import { MAX_EXCERPT_LENGTH } from "../wire/limits.ts";
import { toPlainText } from "../wire/markdown/plain.ts";
import type { MyRoom } from "../wire/models.ts";

type Pins = Pick<MyRoom, "pin_count" | "newest_pin">;
/** The columns that `toPins` needs: `newest_pin` has the beginning of the text, as Markdown. */
export type PinColumns = {
  pin_count: number;
  newest_pin: { message_id: string; content: string | null } | null;
};

/** Characters of Markdown that are read for an excerpt, which is shorter without its syntax. */
export const MAX_SOURCE_LENGTH = 4 * MAX_EXCERPT_LENGTH;

/** For rooms without pins, and for viewers who are not members. */
export const NO_PINS: Pins = { pin_count: 0, newest_pin: null };

/**
 * SQL: the column `newest_pin` of `PinColumns`.
 * @param room the alias of a row with the `id` and `pin_count` of a room
 */
export const newestPin = (room: string) => `case when ${room}.pin_count > 0 then (
    select json_build_object('message_id', p.message_id,
      'content', left(pinned.content, ${MAX_SOURCE_LENGTH}))
    from message_pins p join messages pinned on pinned.id = p.message_id
    where p.room_id = ${room}.id order by p.pinned_at desc, p.message_id desc limit 1
  ) end as newest_pin`;

export const pinColumns = (room: string) => `${room}.pin_count, ${newestPin(room)}`;

export function toPins({ pin_count, newest_pin }: PinColumns): Pins {
  if (!newest_pin) return { pin_count, newest_pin: null };
  const { message_id, content } = newest_pin;
  return { pin_count, newest_pin: { message_id, excerpt: toExcerpt(content ?? "") } };
}

/** Hides the text of the newest pin from a token without `read:messages`. */
export function toCallersRoom<R extends Pins>(caller: Pick<Actor, "token">, room: R): R {
  return mayReadMessages(caller) ? room : { ...room, newest_pin: null };
}

export function toExcerpt(content: string): string {
  const characters = [...toPlainText(content)];
  if (characters.length <= MAX_EXCERPT_LENGTH) return characters.join("");
  return `${characters.slice(0, MAX_EXCERPT_LENGTH - 1).join("")}…`;
}
