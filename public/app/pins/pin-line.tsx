import { Pin, X } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { storage, store } from "../session/store.ts";
import { collapsePin, isPinCollapsed } from "../state/timeline/reply-groups.ts";
import { placePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const PinnedUpload = quietRest("PinnedUpload");

/** The newest pin below a room's header. Collapsed, it is a button with the number of pins. */
export function PinLine({ room }: { room: MyRoom }) {
  const me = store.me.value?.id ?? "";
  const [, setCollapses] = useState(0);
  const { newest_pin: newest, pin_count: count } = room;
  if (!newest) return null;
  const isCollapsed = isPinCollapsed(storage, me, room);
  const all = (
    <a class="button bare" href={pinsPath(room)}>
      {isCollapsed && <Icon of={Pin} />}
      {t("pin.all", { count })}
    </a>
  );
  if (isCollapsed)
    return <div class="pin-line border-bottom surface rigid gap-4 row folded">{all}</div>;
  return (
    <aside class="pin-line border-bottom surface rigid gap-4 row" aria-label={t("pin.newest")}>
      <a class="grow row" href={placePath(room, newest.message_id)}>
        <Icon of={Pin} />
        <span class="truncate" dir="auto">
          {newest.excerpt || <PinnedUpload room={room} />}
        </span>
      </a>
      {all}
      <IconButton
        icon={X}
        label={t("pin.fold")}
        onClick={() => {
          collapsePin(storage, me, room);
          setCollapses((count) => count + 1);
        }}
      />
    </aside>
  );
}

const pinsPath = (room: MyRoom) => `${placePath(room)}?panel=pins`;
