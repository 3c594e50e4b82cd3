import { UserPlus } from "lucide";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar, Dot, nameOf } from "../session/person.tsx";
import { overlay } from "../session/overlay.ts";
import type { DirectFacts } from "../state/model/conversation.ts";
import { t } from "../words/translate.ts";

type ListProps = { direct: DirectFacts; onAdd?(): void; onClose(): void };

/** The people of a group. */
export function PeopleList({ direct, onAdd, onClose }: ListProps) {
  return (
    <Dialog title={t("direct.people", { count: direct.members.length })} onClose={onClose}>
      <ul class="list">
        {direct.members.map(({ user, status }) => (
          <li key={user.id}>
            <Avatar user={user} />
            <button
              type="button"
              class="who grow"
              onClick={() => {
                onClose();
                overlay.value = { name: "person", user };
              }}
            >
              <span class="truncate" dir="auto" style={{ display: "block" }}>
                {nameOf(user)}
              </span>
              <span class="muted small">@{user.username}</span>
            </button>
            <Dot status={status} />
          </li>
        ))}
      </ul>
      {onAdd && (
        <Button onClick={onAdd}>
          <Icon of={UserPlus} />
          {t("direct.add")}
        </Button>
      )}
    </Dialog>
  );
}
