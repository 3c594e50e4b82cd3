import { avatarUrl } from "../accounts/users.ts";
import type { User } from "../wire/models.ts";

/** A message's author, and what an incoming webhook posted it as. */
export type AuthorRow = {
  author_id: string;
  via_name: string | null;
  username: string;
  display_name: string | null;
  avatar_version: string | null;
  is_bot: boolean;
  is_active: boolean;
};

/** The account that wrote a message. What a webhook posts is never a person's. */
export function authorOf(roomId: string, row: AuthorRow): User {
  const { author_id, via_name, username, display_name, is_bot, is_active } = row;
  if (via_name !== null && !(is_bot && is_active)) return webhookAuthor(roomId, via_name);
  const avatar_url = avatarUrl(author_id, row.avatar_version);
  return { id: author_id, username, display_name, avatar_url, is_bot, is_active };
}

/** The author that is shown for a webhook without a bot; its id is that of no account. */
function webhookAuthor(roomId: string, name: string): User {
  const hash = new Bun.CryptoHasher("sha256").update(`webhook ${roomId} ${name}`).digest("hex");
  // UUIDv8 (RFC 9562, 5.8): the same for the same name in a room.
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  const shown = { username: "incoming-webhook", display_name: name, avatar_url: null };
  return { id, ...shown, is_bot: true, is_active: true };
}
