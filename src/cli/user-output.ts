import type { UserRow } from "../accounts/users.ts";
import type { Result } from "./command.ts";

/** An account as the command line shows it. */
export function toJson(user: UserRow) {
  return {
    id: user.id,
    username: user.username,
    display_name: user.displayName,
    email: user.email,
    is_active: user.isActive,
    is_site_admin: user.isSiteAdmin,
    is_bot: user.isBot,
    created_at: user.createdAt.toISOString(),
    last_seen_at: user.lastSeenAt?.toISOString() ?? null,
  };
}

export function describeState(user: UserRow): string {
  const words = [user.isActive ? "active" : "deactivated"];
  if (user.isSiteAdmin) words.push("site admin");
  if (user.isBot) words.push("bot");
  return words.join(", ");
}

export function withPassword(user: UserRow, done: string, password: string | null): Result {
  if (password === null) return { json: toJson(user), text: done };
  const text = `${done}\nPassword (shown once): ${password}`;
  return { json: { ...toJson(user), password }, text };
}
