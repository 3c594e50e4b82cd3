import { UserPlus } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { Member, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Boundary } from "../session/boundary.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { memo } from "../parts/memo.tsx";
import { askToConfirm, openDialog } from "../session/overlay.ts";
import { nameOf } from "../session/person.tsx";
import { isSameRoom, type RoomView } from "../state/model/model.ts";
import { MemberRows } from "./member-rows.tsx";
import { t } from "../words/translate.ts";

type MembersProps = { room: MyRoom; view: RoomView };

/** The room's members. Memoized, so that new messages do not rerender them. */
export const Members = memo(
  MemberList,
  (a, b) => isSameRoom(a.room, b.room) && a.view.members === b.view.members,
);

function MemberList({ room, view }: MembersProps) {
  useEffect(() => store.sync.members.watch(room.id), [room.id]);
  const mayAdd = room.membership?.role !== "member" && !room.is_archived;
  const transferTo = ({ user }: Member) =>
    askToConfirm({
      title: t("members.transfer-title", { name: nameOf(user) }),
      text: t("members.transfer-text"),
      action: t("members.transfer"),
      onConfirm: async () => {
        const input = { params: { id: room.id }, body: { user_id: user.id } };
        await store.call("POST /api/rooms/:id/transfer", input);
      },
    });
  return (
    <>
      {mayAdd && (
        <div class="panel-line rigid">
          <Button wide onClick={() => openDialog({ name: "add-member", roomId: room.id })}>
            <Icon of={UserPlus} />
            {t("members.add")}
          </Button>
        </div>
      )}
      <Boundary of={view.members}>
        {view.members ? (
          <MemberRows room={room} members={view.members} onTransfer={transferTo} />
        ) : (
          <MemberSkeletons />
        )}
      </Boundary>
    </>
  );
}

const PATIENCE_MS = 4_000;

/** Shown until the list arrives. After a while it says that the list is still loading. */
function MemberSkeletons() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="virtual-list grow scroll" aria-busy="true">
      {["60%", "45%", "70%"].map((width) => (
        <div key={width} class="skeleton room-skeleton" style={{ width }} />
      ))}
      <p class="muted small" role="status">
        {isSlow && t("members.not-loaded")}
      </p>
    </div>
  );
}
