import { Crown, Ellipsis, Shield, ShieldOff, UserMinus, UserPlus, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { Member, MyRoom } from "../../../src/wire/models.ts";
import { store, toast } from "../app.ts";
import { ApiError } from "../connection/api.ts";
import { IconButton } from "../parts/button.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { Avatar, Dot, nameOf } from "../parts/person.tsx";
import type { RoomView } from "../state/model.ts";
import { AddMember } from "./add-member.tsx";
import { Confirm } from "./confirm.tsx";

type MembersProps = { room: MyRoom; view: RoomView; onClose(): void };

/** Who is in the room: those who are here first. */
export function Members({ room, view, onClose }: MembersProps) {
  const [adding, setAdding] = useState(false);
  const [transferTo, setTransferTo] = useState<Member | null>(null);
  useEffect(() => {
    store.sync.loadMembers(room.id).catch(() => {});
  }, [room.id, view.membersStale]);
  const mayAdd = room.membership?.role !== "member" && !room.is_archived;
  return (
    <aside
      class="members"
      aria-label="Members"
      onKeyDown={(event) => {
        // Esc in a dialog or a menu closes that alone.
        const inside = event.target instanceof Element && event.target.closest("dialog, [popover]");
        if (event.key === "Escape" && !inside) onClose();
      }}
    >
      <header class="pane-head">
        <div class="titles">
          <h2>Members</h2>
        </div>
        {mayAdd && (
          <IconButton icon={UserPlus} label="Add a member" onClick={() => setAdding(true)} />
        )}
        <IconButton icon={X} label="Close members" onClick={onClose} />
      </header>
      <ul>
        {sorted(view.members ?? []).map((member) => (
          <li key={member.user.id} class={`member ${member.status}`}>
            <Avatar user={member.user} size={28} />
            <span class="grow truncate name" title={`@${member.user.username}`}>
              {nameOf(member.user)}
            </span>
            {member.user.is_bot && <span class="tag">bot</span>}
            {member.role !== "member" && <span class="tag">{member.role}</span>}
            <Dot status={member.status} />
            <MemberMenu room={room} member={member} onTransfer={() => setTransferTo(member)} />
          </li>
        ))}
      </ul>
      {adding && (
        <AddMember room={room} members={view.members ?? []} onClose={() => setAdding(false)} />
      )}
      {transferTo && (
        <Confirm
          title={`Make ${nameOf(transferTo.user)} the owner?`}
          text="You become an admin of the room. Only the new owner can give it back."
          action="Transfer room"
          onClose={() => setTransferTo(null)}
          onConfirm={async () => {
            const body = { user_id: transferTo.user.id };
            store.keepRoom(await store.api.post<MyRoom>(`/api/rooms/${room.id}/transfer`, body));
          }}
        />
      )}
    </aside>
  );
}

function sorted(members: Member[]): Member[] {
  const rank = (member: Member) => (member.status === "online" ? 0 : 1);
  return members.toSorted(
    (a, b) => rank(a) - rank(b) || nameOf(a.user).localeCompare(nameOf(b.user)),
  );
}

type MenuProps = { room: MyRoom; member: Member; onTransfer(): void };

function MemberMenu({ room, member, onTransfer }: MenuProps) {
  const items = itemsFor(room, member, onTransfer);
  if (items.length === 0) return null;
  return <Menu icon={Ellipsis} label={`Actions for ${nameOf(member.user)}`} items={items} />;
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
      label: "Make admin",
      icon: Shield,
      onSelect: () =>
        change(() => store.api.patch(path, { role: "admin" }), `${name} is an admin now.`),
    });
  } else if (mine === "owner") {
    items.push({
      label: "Make member",
      icon: ShieldOff,
      onSelect: () =>
        change(() => store.api.patch(path, { role: "member" }), `${name} is a member now.`),
    });
  }
  if (mine === "owner") items.push({ label: "Transfer room", icon: Crown, onSelect: onTransfer });
  if (mine === "owner" || role === "member") {
    items.push({
      label: "Remove from room",
      icon: UserMinus,
      danger: true,
      onSelect: () =>
        change(() => store.api.delete(path), `${name} is removed.`, undoRemoval(room, member)),
    });
  }
  return items;
}

function undoRemoval(room: MyRoom, { user, role }: Member) {
  const body = { user_id: user.id, role };
  return () =>
    change(() => store.api.post(`/api/rooms/${room.id}/members`, body), `${nameOf(user)} is back.`);
}

function change(work: () => Promise<unknown>, done: string, undo?: () => void): void {
  work().then(
    () => toast(done, undo),
    (error: unknown) =>
      toast(error instanceof ApiError ? error.detail : "That did not work. Try again."),
  );
}
