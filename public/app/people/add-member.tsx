import { useEffect } from "preact/hooks";
import type { DialogProps } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { nameOf } from "../session/person.tsx";
import { wasConversation } from "../state/model/former-conversation.ts";
import { roomById } from "../state/model/model.ts";
import { ChoosePerson } from "./choose-person.tsx";
import { t } from "../words/translate.ts";

export function AddMember({ roomId, onClose }: DialogProps<"add-member">) {
  const room = roomById(store.state.value, roomId);
  const isGone = room === undefined;
  // The reader may be removed from the room while the dialog is open.
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone]);
  useEffect(() => store.sync.members.watch(roomId), [roomId]);
  if (isGone) return null;
  const members = store.state.value.views[roomId]?.members ?? [];
  const me = store.me.value;
  // The members may not be loaded yet.
  const inside = new Set([me?.id, ...members.map((member) => member.user.id)]);
  const isFormer = wasConversation(room);
  return (
    <ChoosePerson
      title={t("members.add-to", { room: room.name })}
      action={t("members.add-action")}
      text={isFormer ? t("members.add-to-former") : undefined}
      isDisabled={(user) => inside.has(user.id) || (isFormer && user.is_bot)}
      disabledLabel={(user) => t(inside.has(user.id) ? "members.is-member-already" : "members.bot")}
      stays
      footer={
        me?.is_site_admin && (
          <a href="/admin/invites" onClick={onClose}>
            {t("members.invite")}
          </a>
        )
      }
      onChosen={async (user) => {
        await store.call("POST /api/rooms/:id/members", {
          params: { id: room.id },
          body: { user_id: user.id },
        });
        showToast(t("members.is-added", { name: nameOf(user), room: room.name }));
      }}
      onClose={onClose}
    />
  );
}
