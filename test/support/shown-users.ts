import { newestOf } from "../../public/app/state/model/users.ts";
import type { State } from "../../public/app/state/model/model.ts";
import type { ReplyRoot, User } from "../../src/wire/models.ts";

/** A part of the state as screens show it: with users in their newest form, wherever they are in it. */
export function showUsers<T>({ users }: Pick<State, "users">, part: T): T {
  const show = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(show);
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
