import { newestOf } from "../../public/app/state/model/users.ts";
import { currentRoomName, type State } from "../../public/app/state/model/model.ts";
import type { Message, ReplyRoot, User } from "../../src/wire/models.ts";

/** A part of the state as screens show it: users in their newest form, and rooms by their present names. */
export function showUsers<T>(state: State, part: T): T {
  const { users } = state;
  const show = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(show);
    if ("room_references" in value) {
      const { room_references, ...message } = value as Message;
      const names = room_references.map((room) => ({
        ...room,
        name: currentRoomName(state, room),
      }));
      return { ...(show(message) as object), room_references: names.toSorted(byName) };
    }
    // An account has more than its user.
    if ("profile_version" in value && !("email" in value)) return showUser(value as User);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, show(one)]));
  };
  const showUser = (user: User | ReplyRoot["author"]) => {
    const newest = newestOf(user, users[user.id]);
    if ("username" in user || "name" in newest) return newest;
    const { id, display_name, username, profile_version } = newest;
    return { id, name: display_name ?? username, profile_version };
  };
  return show(part) as T;
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
