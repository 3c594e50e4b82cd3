import { useEffect, useState } from "preact/hooks";
import { MessageCircle } from "lucide";
import { openDirectWith } from "../session/direct.ts";
import { store } from "../session/store.ts";
import { getAll } from "../connection/api.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Avatar, currentUser, Dot, nameOf } from "../session/person.tsx";
import { roomList } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

/** A person: name, status, and rooms in common, as far as their members are loaded. */
export function PersonCard({ user: opened, onClose }: DialogProps<"person">) {
  const user = currentUser(opened);
  const [isOnline, setOnline] = useState<boolean | null>(null);
  useEffect(() => {
    getAll(store.api, "GET /api/users/online").then(
      (items) => setOnline(items.some(({ id }) => id === user.id)),
      () => {},
    );
  }, [user.id]);
  const { views } = store.state.value;
  const shared = roomList(store.state.value).filter((room) =>
    views[room.id]?.members?.some((member) => member.user.id === user.id),
  );
  return (
    <Dialog title={nameOf(user)} onClose={onClose}>
      <div class="person-card row">
        <Avatar user={user} size={96} />
        <div class="form">
          <p>
            @{user.username} {user.is_bot && <span class="tag">{t("person.bot")}</span>}
            {!user.is_active && <span class="tag">{t("person.deactivated")}</span>}
          </p>
          {isOnline !== null && (
            <p class="muted">
              <Dot status={isOnline ? "online" : "offline"} />{" "}
              {isOnline ? t("members.online") : t("members.offline")}
            </p>
          )}
        </div>
      </div>
      {user.is_active && (
        <Button
          kind="primary"
          onClick={() => {
            onClose();
            openDirectWith(user.id === store.me.value?.id ? [] : [user]);
          }}
        >
          <Icon of={MessageCircle} />
          {user.id === store.me.value?.id ? t("direct.notes") : t("direct.message")}
        </Button>
      )}
      <CopyField label={t("person.mention")} value={`@${user.username}`} />
      {shared.length > 0 && (
        <p class="muted small">
          {t("person.in")}{" "}
          {shared.map((room, i) => (
            <span key={room.id}>
              {i > 0 && ", "}
              <a href={roomPath(room.name)} onClick={onClose}>
                #{room.name}
              </a>
            </span>
          ))}
        </p>
      )}
    </Dialog>
  );
}
