import { CalendarClock, CalendarDays, ChevronDown } from "lucide";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { MenuList } from "../parts/menu.tsx";
import { whenAhead, whenLabel } from "../parts/times-ahead.ts";
import { overlay } from "../session/overlay.ts";
import { showError, showToast } from "../session/toasts.ts";
import { sendTimes } from "../state/plan-times.ts";
import { t } from "../words/translate.ts";
import { lastTimes, planMessage, type Planned } from "./plan-message.ts";

type MenuProps = Planned & {
  disabled: boolean;
  /** Called when the message is scheduled: the composer is emptied. */
  onPlanned(): void;
};

/** The menu beside Send: sends later, at one of the last two times or a usual one. */
export function SendMenu({ disabled, onPlanned, ...planned }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  const plan = (at: Date) =>
    planMessage(planned, at).then(() => {
      onPlanned();
      showToast(t("scheduled.done", { when: whenAhead(at) }));
    });
  const now = new Date();
  const items = sendTimes(now, lastTimes()).map(({ at }) => ({
    label: whenLabel(at, now),
    icon: CalendarClock,
    onSelect: () => void plan(at).catch(showError),
  }));
  const own = () => {
    overlay.value = { name: "plan", onPlan: plan };
  };
  return (
    <span ref={wrap} class="send-later">
      <IconButton
        icon={ChevronDown}
        label={t("scheduled.menu")}
        disabled={disabled}
        expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <MenuList
          label={t("scheduled.menu")}
          items={[...items, { label: t("scheduled.own"), icon: CalendarDays, onSelect: own }]}
          anchor={wrap.current}
          onClose={() => {
            setOpen(false);
            wrap.current?.querySelector("button")?.focus();
          }}
        />
      )}
    </span>
  );
}
