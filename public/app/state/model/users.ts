import type { Me, User } from "../../../../src/wire/models.ts";
import type { State } from "./model.ts";

/**
 * Merges the users anywhere in a response or an event. Older versions in a delayed response change
 * nothing.
 */
export function withUsers(state: State, source: unknown): State {
  const newer: Record<string, User> = {};
  for (const user of usersIn(source)) {
    const existing = newer[user.id] ?? state.users[user.id];
    if (!existing || user.profile_version > existing.profile_version) newer[user.id] = toUser(user);
  }
  if (Object.keys(newer).length === 0) return state;
  return { ...state, users: { ...state.users, ...newer } };
}

/** The users in a part of the state, each once, in the newest version. */
export function usersOf(state: State, part: unknown): User[] {
  const users = new Map([...usersIn(part)].map((user) => [user.id, user]));
  return [...users.values()].map((user) => newestOf(user, state.users[user.id]));
}

/** The state with my account as others see it, including changes that have no version yet. */
export function withMeAsUser(state: State, me: Me): State {
  return { ...state, users: { ...state.users, [me.id]: toUser(me) } };
}

/**
 * The newest version of a user. Messages, rooms and lists have the version with which they were
 * loaded.
 */
export function newestOf<U extends Versioned>(user: U, existing: User | undefined): U | User {
  return existing && !(user.profile_version > existing.profile_version) ? existing : user;
}

type Versioned = Pick<User, "id" | "profile_version">;

function* usersIn(value: unknown): Generator<User> {
  if (typeof value !== "object" || value === null) return;
  if ("profile_version" in value) {
    // The author of a reply's root has only a name.
    if ("username" in value) yield value as User;
  } else for (const child of Object.values(value)) yield* usersIn(child);
}

function toUser(user: User): User {
  const { id, username, display_name, avatar_url, is_bot, is_active, profile_version } = user;
  return { id, username, display_name, avatar_url, is_bot, is_active, profile_version };
}
