import { Crown, Shield, ShieldOff, UserMinus } from "lucide";
import type { Member, MyRoom } from "../../../src/wire/models.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { reportOutcome } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

/**
 * The actions on another member that the reader's role in the room allows.
 * @param onTransfer asks for confirmation before ownership is transferred; without it, the transfer
 * is not offered
 */
export function roleItems(room: MyRoom, member: Member, onTransfer?: () => void): MenuItem[] {
  const ownRole = room.membership?.role ?? "member";
  const { user, role } = member;
  const items: MenuItem[] = [];
  if (user.id === store.me.value?.id || ownRole === "member" || role === "owner") return items;
  const params = { id: room.id, user_id: user.id };
  const setRole = (role: "admin" | "member") =>
    store.call("PATCH /api/rooms/:id/members/:user_id", { params, body: { role } });
  const name = nameOf(user);
  if (role === "member") {
    items.push({
      label: t("members.make-admin"),
      icon: Shield,
      onSelect: () => reportOutcome(setRole("admin"), () => t("members.is-admin", { name })),
    });
  } else if (ownRole === "owner") {
    items.push({
      label: t("members.make-member"),
      icon: ShieldOff,
      onSelect: () => reportOutcome(setRole("member"), () => t("members.is-member", { name })),
    });
  }
  if (ownRole === "owner" && onTransfer)
    items.push({ label: t("members.transfer"), icon: Crown, onSelect: onTransfer });
  if (ownRole === "owner" || role === "member") {
    items.push({
      label: t("members.remove"),
      icon: UserMinus,
      danger: true,
      onSelect: () =>
        reportOutcome(
          store.call("DELETE /api/rooms/:id/members/:user_id", { params }),
          () => t("members.is-removed", { name }),
          undoRemoval(room, member),
        ),
    });
  }
  return items;
}

function undoRemoval(room: MyRoom, { user, role }: Member) {
  // The owner cannot be removed.
  const body = { user_id: user.id, role: role === "owner" ? undefined : role };
  const input = { params: { id: room.id }, body };
  return () =>
    reportOutcome(store.call("POST /api/rooms/:id/members", input), () =>
      t("members.is-back", { name: nameOf(user) }),
    );
}
