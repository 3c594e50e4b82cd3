import { computed, type ReadonlySignal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { ReplyRoot, Status, User } from "../../../src/wire/models.ts";
import { newestOf } from "../state/model/users.ts";
import { t } from "../words/translate.ts";
import { store } from "./store.ts";

/** A signal for each user who was shown, so that a new name renders only what shows it. */
const users = new Map<string, ReadonlySignal<User | undefined>>();

/** A user whom a response or an event has brought. */
export function findUser(id: string): User | undefined {
  let user = users.get(id);
  if (!user) {
    user = computed(() => store.state.value.users[id]);
    users.set(id, user);
  }
  return user.value;
}

/** A user as they are now: an object that shows them has the form in which it was loaded. */
export function currentUser(user: User): User {
  return newestOf(user, findUser(user.id));
}

type Named = Pick<User, "id" | "username" | "display_name" | "profile_version">;

/** The display name, or else the username. */
export function nameOf(user: Named): string {
  const { display_name, username } = newestOf(user, findUser(user.id));
  return display_name ?? username;
}

/** The name of the author of a reply's root. */
export function nameOfRoot({ author }: ReplyRoot): string {
  const user = newestOf(author, findUser(author.id));
  return "name" in user ? user.name : nameOf(user);
}

/** A person's picture, or initials without a picture, or if it does not load. */
export function Avatar({ user, size = 36 }: { user: User; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null);
  const { avatar_url } = currentUser(user);
  if (!avatar_url || broken === avatar_url) return <Initials user={user} size={size} />;
  // Twice the size, for high-density screens.
  const pictureSide = size <= 32 ? 64 : size <= 64 ? 128 : 512;
  return (
    <img
      class="avatar"
      src={`${avatar_url}&size=${pictureSide}`}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      onError={() => setBroken(avatar_url)}
    />
  );
}

/** Initials on a colour that is derived from the person's id. */
function Initials({ user, size }: { user: User; size: number }) {
  const words = nameOf(user)
    .trim()
    .split(/[\s._-]+/);
  const first = initialOf(words[0]) || "?";
  const second = words.length > 1 ? initialOf(words.at(-1)) : "";
  const hue = Number.parseInt(user.id.slice(-4), 16) % 360;
  const style = {
    width: `${size}px`,
    height: `${size}px`,
    fontSize: `${Math.round(size * 0.38)}px`,
    background: `color-mix(in oklab, var(--surface), oklch(0.68 0.13 ${hue}) 42%)`,
  };
  return (
    <span class="avatar" style={style} aria-hidden="true">
      {(first + second).toUpperCase()}
    </span>
  );
}

/** The first letter or digit of a word, or else its first character. */
function initialOf(word = ""): string {
  const signs = [...word];
  return signs.find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? signs[0] ?? "";
}

/** Presence, by shape as well as by colour. */
export function Dot({ status }: { status: Status }) {
  const online = status === "online";
  return (
    <span
      class={`dot ${online ? "on" : ""}`}
      role="img"
      aria-label={online ? t("online") : t("offline")}
    />
  );
}
