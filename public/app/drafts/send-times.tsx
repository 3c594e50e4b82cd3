import { CalendarClock, CalendarDays } from "lucide";
import { MenuList } from "../parts/menu-list.tsx";
import { whenAhead, whenLabel } from "../parts/times.ts";
import type { Anchor } from "../parts/use-popover.ts";
import { overlay } from "../session/overlay.ts";
import { showError, showToast } from "../session/toasts.ts";
import { sendTimes } from "../state/drafts/plan-times.ts";
import { t } from "../words/translate.ts";
import { lastTimes, planMessage, type Planned } from "./plan-message.ts";

type TimesProps = {
  planned: Planned;
  anchor: Anchor | null;
  /** Called when the message is scheduled, to empty the composer. */
  onPlanned(): void;
  onClose(): void;
};

/** The menu beside Send: sends later, at one of the last two times or a common one. */
export function SendTimes({ planned, anchor, onPlanned, onClose }: TimesProps) {
  const plan = (at: Date) =>
    planMessage(planned, at).then(() => {
      onPlanned();
      showToast(t("scheduled.done", { when: whenAhead(at) }));
    });
  const now = new Date();
  const items = sendTimes(now, lastTimes()).map(({ key, at }) => ({
    label: key === "hour" ? t("time.hour") : whenLabel(at, now),
    icon: CalendarClock,
    onSelect: () => void plan(at).catch(showError),
  }));
  const own = () => {
    overlay.value = { name: "plan", onPlan: plan };
  };
  return (
    <MenuList
      label={t("scheduled.menu")}
      items={[...items, { label: t("scheduled.own"), icon: CalendarDays, onSelect: own }]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}
