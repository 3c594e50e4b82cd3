import { Pin, X } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { panel } from "../session/navigation.ts";
import { storage, store } from "../session/store.ts";
import { foldPin, isPinFolded } from "../state/timeline/fold.ts";
import { placePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** The newest pin under the head of a room. Folded, only a button with the number of pins is left. */
export function PinLine({ room }: { room: MyRoom }) {
  const me = store.me.value?.id ?? "";
  const [, setFolds] = useState(0);
  const { newest_pin: newest, pin_count: count } = room;
  if (!newest || panel.value === "pins") return null;
  const all = (
    <a class="button quiet" href={pinsPath(room)} aria-label={t("pin.count", { count })}>
      <Icon of={Pin} />
      {t("pin.all", { count })}
    </a>
  );
  if (isPinFolded(storage, me, room)) return <div class="pin-line row folded">{all}</div>;
  return (
    <aside class="pin-line row" aria-label={t("pin.newest")}>
      <a class="grow" href={placePath(room, newest.message_id)}>
        <Icon of={Pin} />
        <span class="truncate" dir="auto">
          {newest.excerpt || t("pin.no-text")}
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
