import { BellOff, type IconNode, Pencil } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { untilTime } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { draftRooms } from "./personal-signals.ts";

export function DraftSign({ id }: { id: string }) {
  return draftRooms.value.has(id) ? <Sign icon={Pencil} text={t("sidebar.draft")} /> : null;
}

export const MutedSign = ({ until }: { until: string | null }) => (
  <Sign icon={BellOff} text={describeMute(until)} />
);

/** "Muted", or until when. */
export function describeMute(until: string | null): string {
  return until ? t("mute.until", { when: untilTime(until) }) : t("mute.muted");
}

function Sign({ icon, text }: { icon: IconNode; text: string }) {
  return (
    <span class="sign grid" role="img" aria-label={text} data-tooltip={text}>
      <Icon of={icon} />
    </span>
  );
}
