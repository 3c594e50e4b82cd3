import { Search } from "lucide";
import { joinRoom } from "../session/membership-actions.ts";
import { navigateTo } from "../session/navigation.ts";
import { showError } from "../session/toasts.ts";
import { openDirectWith } from "../session/direct.ts";
import { Faces } from "../session/faces.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar } from "../session/person.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import type { Choice } from "../state/search/choices.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { readNews } from "../state/model/unread.ts";
import { directPath, roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** A room, conversation, person or action, with its unread badge. */
export function ChoiceContent({ choice }: { choice: Choice }) {
  const place = "room" in choice ? choice.room : null;
  return (
    <>
      <ChoiceLabel choice={choice} />
      {choice.kind === "open-room" && <span class="muted small">{t("switcher.join")}</span>}
      {place && <UnreadBadge {...readNews(place.membership)} />}
    </>
  );
}

/** The mark and the name of a choice; people also have their username. */
export function ChoiceLabel({ choice }: { choice: Choice }) {
  return (
    <>
      <ChoiceMark choice={choice} />
      <span class="grow truncate" dir="auto">
        {choice.label}
        {choice.kind === "person" && (
          <>
            {" "}
            <bdi class="muted small">@{choice.hint}</bdi>
          </>
        )}
      </span>
    </>
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
  if (choice.kind === "room") navigateTo(roomPath(choice.room.name));
  else if (choice.kind === "direct") navigateTo(directPath(choice.room.id));
  else if (choice.kind === "person") openDirectWith([choice.user]);
  else if (choice.kind === "open-room") void joinRoom(choice.room).catch(showError);
  else choice.run();
}
