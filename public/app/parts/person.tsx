import { useState } from "preact/hooks";
import type { Status, User } from "../../../src/wire/models.ts";
import { t } from "../words/translate.ts";

/** The display name, or else the username. */
export function nameOf(user: Pick<User, "username" | "display_name">): string {
  return user.display_name ?? user.username;
}

/** A person's picture, or initials without a picture, or if it does not load. */
export function Avatar({ user, size = 36 }: { user: User; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null);
  const { avatar_url } = user;
  if (!avatar_url || broken === avatar_url) return <Initials user={user} size={size} />;
  // Twice the size, for high-density screens.
  const stored = size <= 32 ? 64 : size <= 64 ? 128 : 512;
  return (
    <img
      class="avatar"
      src={`${avatar_url}&size=${stored}`}
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
