import { Pin, X } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { storage, store } from "../session/store.ts";
import { foldPin, isPinFolded } from "../state/timeline/fold.ts";
import { placePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const PinnedUpload = quietRest("PinnedUpload");

/** The newest pin below a room's header. Collapsed, it is a button with the number of pins. */
export function PinLine({ room }: { room: MyRoom }) {
  const me = store.me.value?.id ?? "";
  const [, setFolds] = useState(0);
  const { newest_pin: newest, pin_count: count } = room;
  if (!newest) return null;
  const isFolded = isPinFolded(storage, me, room);
  const all = (
    <a class="button bare" href={pinsPath(room)}>
      {isFolded && <Icon of={Pin} />}
      {t("pin.all", { count })}
    </a>
  );
  if (isFolded)
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
          foldPin(storage, me, room);
          setFolds((folds) => folds + 1);
        }}
      />
    </aside>
  );
}

const pinsPath = (room: MyRoom) => `${placePath(room)}?panel=pins`;
