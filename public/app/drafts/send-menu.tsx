import { ChevronDown } from "lucide";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { t } from "../words/translate.ts";
import type { Planned } from "./plan-message.ts";

const SendTimes = quietRest("SendTimes");

type MenuProps = Planned & {
  disabled: boolean;
  /** Called when the message is scheduled, to empty the composer. */
  onPlanned(): void;
};

/** The button beside Send, with a menu of times to send it later. */
export function SendMenu({ disabled, onPlanned, ...planned }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  return (
    <span ref={wrap} class="send-later rigid">
      <IconButton
        icon={ChevronDown}
        label={t("scheduled.menu")}
        disabled={disabled}
        expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <SendTimes
          planned={planned}
          anchor={wrap.current}
          onPlanned={onPlanned}
          onClose={() => {
            setOpen(false);
            wrap.current?.querySelector("button")?.focus();
          }}
        />
      )}
    </span>
  );
}
