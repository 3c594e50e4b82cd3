import uFuzzy from "@leeoniya/ufuzzy";
import { Search } from "lucide";
import type { ComponentChildren } from "preact";
import { joinRoom } from "../session/membership-actions.ts";
import { navigateTo } from "../session/navigation.ts";
import { showError } from "../session/toasts.ts";
import { openDirectWith } from "../session/direct.ts";
import { Faces } from "../session/faces.tsx";
import { Icon } from "../parts/icon.tsx";
import { describeShortcut } from "../parts/menu-list.tsx";
import { Avatar } from "../session/person.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import type { Choice } from "../state/search/choices.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { readNews } from "../state/model/unread.ts";
import { placePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/**
 * A room, conversation, person or action, with its unread badge; people also have their username.
 * The kind is shown where there is no heading.
 */
export function ChoiceContent({ choice, hasHeading }: { choice: Choice; hasHeading: boolean }) {
  const news = "room" in choice ? readNews(choice.room.membership) : null;
  return (
    <>
      <ChoiceMark choice={choice} />
      <span class={`grow truncate ${news?.isUnread ? "bold" : ""}`} dir="auto">
        {markMatches(choice)}
        {choice.kind === "person" && (
          <>
            {" "}
            <bdi class="muted small">@{choice.hint}</bdi>
          </>
        )}
      </span>
      {choice.kind === "open-room" && <span class="muted small">{t("switcher.join")}</span>}
      {!hasHeading && <ChoiceKind choice={choice} />}
      {choice.kind === "action" && choice.shortcut && (
        <span class="keys-hint" aria-hidden="true">
          <kbd>{describeShortcut(choice.shortcut)}</kbd>
        </span>
      )}
      {news && <UnreadBadge {...news} />}
    </>
  );
}

/** The label, with the letters that match the query marked. */
function markMatches({ label, matches }: Choice): ComponentChildren {
  if (!matches) return label;
  const mark = (text: string, isMatch: boolean) => (isMatch ? <mark>{text}</mark> : text);
  const append = (pieces: ComponentChildren[], piece: ComponentChildren) => [...pieces, piece];
  return uFuzzy.highlight<ComponentChildren[], ComponentChildren>(label, matches, mark, [], append);
}

/** Hidden from screen readers: the label of an action is a verb, and people have a username. */
function ChoiceKind({ choice: { kind } }: { choice: Choice }) {
  if (kind === "search" || kind === "open-room") return null;
  return (
    <span class="muted small" aria-hidden="true">
      {t("switcher.kind", { kind })}
    </span>
  );
}

function ChoiceMark({ choice }: { choice: Choice }) {
  if (choice.kind === "direct") return <Faces direct={choice.room.direct} size={24} />;
  if (choice.kind === "person") return <Avatar user={choice.user} size={24} />;
  if (choice.kind === "search") return <Icon of={Search} />;
  if (choice.kind === "action") return <Icon of={choice.icon} />;
  return <RoomIcon room={choice.room} />;
}

export function followChoice(choice: Choice): void {
  if (choice.kind === "room" || choice.kind === "direct") navigateTo(placePath(choice.room));
  else if (choice.kind === "person") openDirectWith([choice.user]);
  else if (choice.kind === "open-room") void joinRoom(choice.room).catch(showError);
  else choice.run();
}
