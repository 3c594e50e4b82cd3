import { UserPlus, X } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Member, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Boundary } from "../session/boundary.tsx";
import { IconButton } from "../parts/button.tsx";
import { isEscape } from "../parts/escape.ts";
import { rest } from "../parts/load-rest.tsx";
import { memo } from "../parts/memo.tsx";
import { overlay } from "../session/overlay.ts";
import { nameOf } from "../session/person.tsx";
import { isSameRoom, type RoomView } from "../state/model/model.ts";
import { MemberRows } from "./member-rows.tsx";
import { useSwipeAway } from "../parts/use-swipe-away.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

const Confirm = rest("Confirm");

type MembersProps = { room: MyRoom; view: RoomView; onClose(): void };

/** The room's members, with their number. They are not rendered again for each message. */
export const Members = memo(
  MemberList,
  (a, b) => isSameRoom(a.room, b.room) && a.view.members === b.view.members,
);

function MemberList({ room, view, onClose }: MembersProps) {
  const [transferTo, setTransferTo] = useState<Member | null>(null);
  useEffect(() => store.sync.members.watch(room.id), [room.id]);
  const aside = useRef<HTMLElement>(null);
  useSwipeAway(aside, onClose);
  const count = view.members?.length ?? room.member_count;
  const mayAdd = room.membership?.role !== "member" && !room.is_archived;
  return (
    <aside
      ref={aside}
      class="members"
      aria-label={t("members.title")}
      onKeyDown={(event) => {
        if (!isEscape(event)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header class="pane-head">
        <div class="titles">
          <h2>
            {t("members.title")}{" "}
            <span class="muted count">{getNumberFormat(currentLocale()).format(count)}</span>
          </h2>
        </div>
        {mayAdd && (
          <IconButton
            icon={UserPlus}
            label={t("members.add")}
            onClick={() => {
              overlay.value = { name: "add-member", roomId: room.id };
            }}
          />
        )}
        <IconButton icon={X} label={t("members.close")} onClick={onClose} />
      </header>
      <Boundary of={view.members}>
        {view.members ? (
          <MemberRows room={room} members={view.members} onTransfer={setTransferTo} />
        ) : (
          <MemberSkeletons />
        )}
      </Boundary>
      {transferTo && (
        <Confirm
          title={t("members.transfer-title", { name: nameOf(transferTo.user) })}
          text={t("members.transfer-text")}
          action={t("members.transfer")}
          onClose={() => setTransferTo(null)}
          onConfirm={async () => {
            const input = { params: { id: room.id }, body: { user_id: transferTo.user.id } };
            await store.call("POST /api/rooms/:id/transfer", input);
          }}
        />
      )}
    </aside>
  );
}

const PATIENCE_MS = 4_000;

/** The list is requested until it arrives: after a while this says so. */
function MemberSkeletons() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="virtual-list" aria-busy="true">
      {["60%", "45%", "70%"].map((width) => (
        <div key={width} class="skeleton room-skeleton" style={{ width }} />
      ))}
      <p class="muted small" role="status">
        {isSlow && t("members.not-loaded")}
      </p>
    </div>
  );
}
