import { type Actor, mayReadMessages } from "../routing/actor.ts";
import type { Message } from "../wire/models.ts";

type Caller = Pick<Actor, "id" | "token">;

/**
 * A message as an answer may show it to its caller: a token without `read:messages` is shown what its own
 * bot wrote, and nothing of what others wrote.
 */
export function toCallersMessage(caller: Caller, message: Message): Message {
  if (mayReadMessages(caller)) return message;
  const { root, quote } = message;
  // What a webhook posted in the bot's name came from elsewhere.
  const isOwn = message.author.id === caller.id && message.via === null;
  return {
    ...message,
    ...(isOwn ? {} : NO_CONTENT),
    root: root && { ...root, excerpt: null },
    quote: quote && ("is_gone" in quote ? quote : { ...quote, excerpt: null }),
  };
}

/** File names and descriptions of images are words of the author, too. */
const NO_CONTENT = {
  content: null,
  image: null,
  file: null,
  preview_url: null,
  preview: null,
  mentions: [],
  room_references: [],
};
