import { Moon } from "lucide";
import type { Me } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { useMenu } from "../parts/menu.tsx";
import { untilTime } from "../parts/times.ts";
import { Avatar, Dot, nameOf } from "../session/person.tsx";
import { t } from "../words/translate.ts";

const OwnMenu = quietRest("OwnMenu");

/** The reader's own row at the bottom of the sidebar, which opens their menu. */
export function OwnRow({ me }: { me: Me }) {
  const { isOpen, button, menu } = useMenu();
  return (
    <>
      <button {...button} type="button" class="me-button grow rounded row" aria-haspopup="menu">
        <span class="visually-hidden">{t("shell.you")} </span>
        <OwnAvatar me={me} />
        <span class="grow">
          <span class="truncate" dir="auto" style={{ display: "block" }}>
            {nameOf(me)}
          </span>
          <OwnState me={me} />
        </span>
      </button>
      {isOpen && <OwnMenu {...menu} me={me} />}
    </>
  );
}

/**
 * The reader's picture with what others see of their presence, or a moon while their notifications
 * are paused.
 */
export function OwnAvatar({ me, size = 32 }: { me: Me; size?: number }) {
  return (
    <span class="own-avatar face grid relative">
      <Avatar user={me} size={size} />
      {me.push_paused_until ? (
        <Icon of={Moon} />
      ) : (
        <Dot status={me.appear_offline ? "offline" : "online"} />
      )}
    </span>
  );
}

/** The username, or that notifications are paused or the reader appears offline. */
export function OwnState({ me }: { me: Me }) {
  const until = me.push_paused_until;
  return (
    <span class="muted small truncate" style={{ display: "block" }}>
      {until
        ? t("shell.paused", { when: untilTime(until) })
        : me.appear_offline
          ? t("shell.offline")
          : `@${me.username}`}
    </span>
  );
}
