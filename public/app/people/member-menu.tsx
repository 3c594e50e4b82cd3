import { Crown, Ellipsis, Shield, ShieldOff, UserMinus } from "lucide";
import type { Member, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../app.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { nameOf } from "../parts/person.tsx";
import { report } from "../parts/report.ts";
import { say } from "../words/say.ts";

type MenuProps = { room: MyRoom; member: Member; onTransfer(): void };

/** What can be done with a member; nothing where the rules let me do nothing. */
export function MemberMenu({ room, member, onTransfer }: MenuProps) {
  const items = itemsFor(room, member, onTransfer);
  if (items.length === 0) return null;
  return (
    <Menu
      icon={Ellipsis}
      label={say("members.actions", { name: nameOf(member.user) })}
      items={items}
    />
  );
}

/** What the room's rules let me do with this member. */
function itemsFor(room: MyRoom, member: Member, onTransfer: () => void): MenuItem[] {
  const mine = room.membership?.role ?? "member";
  const { user, role } = member;
  if (user.id === store.me.value?.id || mine === "member" || role === "owner") return [];
  const path = `/api/rooms/${room.id}/members/${user.id}`;
  const name = nameOf(user);
  const items: MenuItem[] = [];
  if (role === "member") {
    items.push({
      label: say("members.make-admin"),
      icon: Shield,
      onSelect: () =>
        report(store.api.patch(path, { role: "admin" }), () => say("members.is-admin", { name })),
    });
  } else if (mine === "owner") {
    items.push({
      label: say("members.make-member"),
      icon: ShieldOff,
      onSelect: () =>
        report(store.api.patch(path, { role: "member" }), () => say("members.is-member", { name })),
    });
  }
  if (mine === "owner")
    items.push({ label: say("members.transfer"), icon: Crown, onSelect: onTransfer });
  if (mine === "owner" || role === "member") {
    items.push({
      label: say("members.remove"),
      icon: UserMinus,
      danger: true,
      onSelect: () =>
        report(
          store.api.delete(path),
          () => say("members.is-removed", { name }),
          undoRemoval(room, member),
        ),
    });
  }
  return items;
}

function undoRemoval(room: MyRoom, { user, role }: Member) {
  const body = { user_id: user.id, role };
  return () =>
    report(store.api.post(`/api/rooms/${room.id}/members`, body), () =>
      say("members.is-back", { name: nameOf(user) }),
    );
}
