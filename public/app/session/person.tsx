import { computed, type ReadonlySignal } from "@preact/signals";
import type { ReplyRoot, Status, User } from "../../../src/wire/models.ts";
import { Picture } from "../parts/picture.tsx";
import { newestOf } from "../state/model/users.ts";
import { t } from "../words/translate.ts";
import { store } from "./store.ts";

/**
 * A signal for each displayed user, so that a changed name rerenders only the components that show
 * it.
 */
const users = new Map<string, ReadonlySignal<User | undefined>>();

/** A user from a response or an event. */
export function findUser(id: string): User | undefined {
  let user = users.get(id);
  if (!user) {
    user = computed(() => store.state.value.users[id]);
    users.set(id, user);
  }
  return user.value;
}

/**
 * The newest version of a user, because an object that contains a user has the version with which
 * it was loaded.
 */
export function currentUser(user: User): User {
  return newestOf(user, findUser(user.id));
}

type Named = Pick<User, "id" | "username" | "display_name" | "profile_version">;

export function nameOf(user: Named): string {
  const { display_name, username } = newestOf(user, findUser(user.id));
  return display_name ?? username;
}

/** The title of a thread, or the first words of its root, or else whose thread it is. */
export function nameOfThread({ title, excerpt, author }: ReplyRoot): string {
  const user = newestOf(author, findUser(author.id));
  const name = "name" in user ? user.name : nameOf(user);
  return title ?? excerpt ?? t("thread.of", { name });
}

/** A person's picture, or their initials if there is no picture or it does not load. */
export function Avatar({ user, size = 36 }: { user: User; size?: number }) {
  const { avatar_url } = currentUser(user);
  const initials = <Initials user={user} size={size} />;
  if (!avatar_url) return initials;
  // Twice the size, for high-density screens.
  const pictureSide = size <= 32 ? 64 : size <= 64 ? 128 : 512;
  return (
    <Picture
      class="avatar grid rigid middle bold round"
      src={`${avatar_url}&size=${pictureSide}`}
      width={size}
      height={size}
    >
      {initials}
    </Picture>
  );
}

/** Smaller pictures have room for one letter only, in pixels. */
const MIN_TWO_INITIALS = 24;

/** Initials on a colour that is derived from the person's id. */
function Initials({ user, size }: { user: User; size: number }) {
  const words = nameOf(user)
    .trim()
    .split(/[\s._-]+/);
  const first = initialOf(words[0]) || "?";
  const isSmall = size < MIN_TWO_INITIALS;
  const second = words.length > 1 && !isSmall ? initialOf(words.at(-1)) : "";
  const hue = Number.parseInt(user.id.slice(-4), 16) % 360;
  const style = {
    width: `${size}px`,
    height: `${size}px`,
    fontSize: `${Math.round(size * (isSmall ? 0.6 : 0.38))}px`,
    background: `color-mix(in oklab, var(--surface), oklch(0.68 0.13 ${hue}) 42%)`,
  };
  return (
    <span class="avatar grid rigid middle bold round" style={style} aria-hidden="true">
      {(first + second).toUpperCase()}
    </span>
  );
}

/** The first letter or digit of a word, or else the first character. */
function initialOf(word = ""): string {
  const signs = [...word];
  return signs.find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? signs[0] ?? "";
}

/** The presence of a user, by shape as well as by colour. */
export function Dot({ status }: { status: Status }) {
  const online = status === "online";
  return (
    <span
      class={`dot rigid round ${online ? "on" : ""}`}
      role="img"
      aria-label={online ? t("online") : t("offline")}
    />
  );
}
