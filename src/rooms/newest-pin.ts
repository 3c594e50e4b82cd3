import { type Actor, mayReadMessages } from "../routing/actor.ts";
import { MAX_EXCERPT_LENGTH } from "../wire/limits.ts";
import { toPlainText } from "../wire/markdown/plain.ts";
import type { MyRoom } from "../wire/models.ts";

/** What lists of rooms show of a room's pins. */
type Pins = Pick<MyRoom, "pin_count" | "newest_pin">;
/** Its columns: `newest_pin` has the beginning of the text, as Markdown. */
export type PinColumns = {
  pin_count: number;
  newest_pin: { message_id: string; content: string | null } | null;
};

/** The limit of the Markdown of an excerpt, which may be longer than what it shows. */
export const MAX_SOURCE_LENGTH = 4 * MAX_EXCERPT_LENGTH;

/** For rooms without pins, and for viewers who are not members: pins are shown to members alone. */
export const NO_PINS: Pins = { pin_count: 0, newest_pin: null };

/**
 * SQL columns of `PinColumns`. Nothing is looked for in rooms without pins.
 * @param room an alias of a row of `rooms`
 */
export const pinColumns = (room: string) => `${room}.pin_count,
  case when ${room}.pin_count > 0 then (
    select json_build_object('message_id', p.message_id,
      'content', left(pinned.content, ${MAX_SOURCE_LENGTH}))
    from message_pins p join messages pinned on pinned.id = p.message_id
    where p.room_id = ${room}.id order by p.pinned_at desc, p.message_id desc limit 1
  ) end as newest_pin`;

/** How many messages of a room are pinned, and the beginning of the newest. */
export function toPins({ pin_count, newest_pin }: PinColumns): Pins {
  if (!newest_pin) return { pin_count, newest_pin: null };
  const { message_id, content } = newest_pin;
  return { pin_count, newest_pin: { message_id, excerpt: toExcerpt(content ?? "") } };
}

/** A room or conversation as its caller may see it: a token without `read:messages` sees no text of a pin. */
export function toCallersRoom<R extends Pins>(caller: Pick<Actor, "token">, room: R): R {
  return mayReadMessages(caller) ? room : { ...room, newest_pin: null };
}

/** The beginning of a text, without its Markdown. */
export function toExcerpt(content: string): string {
  const characters = [...toPlainText(content)];
  if (characters.length <= MAX_EXCERPT_LENGTH) return characters.join("");
  return `${characters.slice(0, MAX_EXCERPT_LENGTH - 1).join("")}…`;
}
