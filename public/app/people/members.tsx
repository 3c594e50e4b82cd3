import { UserPlus, X } from "lucide";

import { useEffect, useRef, useState } from "preact/hooks";
import type { Member, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { overlay } from "../session/overlay.ts";
import { Boundary } from "../session/boundary.tsx";
import { IconButton } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { memo } from "../parts/memo.tsx";
import { Avatar, Dot, nameOf } from "../parts/person.tsx";
import { isSameRoom, type RoomView } from "../state/model.ts";
import { MemberMenu } from "./member-menu.tsx";
import { useSwipeAway } from "../parts/use-swipe-away.ts";
import { currentLocale, t } from "../words/translate.ts";

const AddMember = lazy("deferred", () => import("./add-member.tsx").then((m) => m.AddMember));
const Confirm = lazy("deferred", () => import("../parts/confirm.tsx").then((m) => m.Confirm));

type MembersProps = { room: MyRoom; view: RoomView; onClose(): void };

/** The room's members, online ones first. They are not rendered again for each message. */
export const Members = memo(
  MemberList,
  (a, b) => isSameRoom(a.room, b.room) && a.view.members === b.view.members,
);

function MemberList({ room, view, onClose }: MembersProps) {
  const [adding, setAdding] = useState(false);
  const [transferTo, setTransferTo] = useState<Member | null>(null);
  useEffect(() => store.sync.members.watch(room.id), [room.id]);
  const aside = useRef<HTMLElement>(null);
  useSwipeAway(aside, onClose);
  const mayAdd = room.membership?.role !== "member" && !room.is_archived;
  return (
    <aside
      ref={aside}
      class="members"
      aria-label={t("members.title")}
      onKeyDown={(event) => {
        // Esc in a dialog or menu closes only that.
        const inside = event.target instanceof Element && event.target.closest("dialog, [popover]");
        if (event.key === "Escape" && !inside) onClose();
      }}
    >
      <header class="pane-head">
        <div class="titles">
          <h2>{t("members.title")}</h2>
        </div>
        {mayAdd && (
          <IconButton icon={UserPlus} label={t("members.add")} onClick={() => setAdding(true)} />
        )}
        <IconButton icon={X} label={t("members.close")} onClick={onClose} />
      </header>
      <Boundary of={view.members}>
        <Rows room={room} view={view} onTransfer={setTransferTo} />
      </Boundary>
      {adding && (
        <AddMember room={room} members={view.members ?? []} onClose={() => setAdding(false)} />
      )}
      {transferTo && (
        <Confirm
          title={t("members.transfer-title", { name: nameOf(transferTo.user) })}
          text={t("members.transfer-text")}
          action={t("members.transfer")}
          onClose={() => setTransferTo(null)}
          onConfirm={async () => {
            const input = { params: { id: room.id }, body: { user_id: transferTo.user.id } };
            store.keepRoom(await store.api.call("POST /api/rooms/:id/transfer", input));
          }}
        />
      )}
    </aside>
  );
}

type RowsProps = Pick<MembersProps, "room" | "view"> & { onTransfer(member: Member): void };

function Rows({ room, view, onTransfer }: RowsProps) {
  return (
    <ul>
      {sorted(view.members ?? []).map((member) => (
        <li key={member.user.id} class={`member ${member.status}`}>
          <button type="button" class="who grow" onClick={() => showPerson(member)}>
            <Avatar user={member.user} size={28} />
            <span class="truncate name" title={`@${member.user.username}`}>
              {nameOf(member.user)}
            </span>
          </button>
          {member.user.is_bot && <span class="tag">{t("members.bot")}</span>}
          {member.role !== "member" && (
            <span class="tag">{t("members.role", { role: member.role })}</span>
          )}
          <Dot status={member.status} />
          <MemberMenu room={room} member={member} onTransfer={() => onTransfer(member)} />
        </li>
      ))}
    </ul>
  );
}

function showPerson({ user }: Member): void {
  overlay.value = { name: "person", user };
}

function sorted(members: Member[]): Member[] {
  const rank = (member: Member) => (member.status === "online" ? 0 : 1);
  return members.toSorted(
    (a, b) => rank(a) - rank(b) || nameOf(a.user).localeCompare(nameOf(b.user), currentLocale()),
  );
}
