import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { Icon } from "../../parts/icon.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import type { Status } from "./status.ts";

const CLASSES = { good: "good", bad: "danger", idle: "muted" };
const ICONS = { good: CircleCheck, bad: CircleAlert, idle: CircleDashed };

/** The status of a webhook or of a delivery. */
export function StatusLine({ of }: { of: Status }) {
  return (
    <span class={`status small ${CLASSES[of.kind]}`}>
      <Icon of={ICONS[of.kind]} />
      <span>{of.at ? <TimeAgo at={of.at}>{of.text}</TimeAgo> : of.text}</span>
    </span>
  );
}
