import { ChevronDown } from "lucide";
import { quietRest } from "../parts/load-rest.tsx";
import { MenuButton } from "../parts/menu.tsx";
import { t } from "../words/translate.ts";
import type { Planned } from "./send-times.tsx";

const SendTimes = quietRest("SendTimes");

type MenuProps = Planned & {
  disabled: boolean;
  /** Called when the message is scheduled, to empty the composer. */
  onPlanned(): void;
};

/** The button beside Send, with a menu of times to send it later. */
export function SendMenu({ disabled, onPlanned, ...planned }: MenuProps) {
  return (
    <MenuButton
      icon={ChevronDown}
      label={t("scheduled.menu")}
      class="send-later rigid"
      disabled={disabled}
      list={(anchor, onClose) => (
        <SendTimes planned={planned} anchor={anchor} onPlanned={onPlanned} onClose={onClose} />
      )}
    />
  );
}
