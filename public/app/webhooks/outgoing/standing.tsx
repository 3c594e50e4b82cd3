import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { Icon } from "../../parts/icon.tsx";
import type { Standing as Of } from "./words.ts";

const ICONS = { good: CircleCheck, bad: CircleAlert, idle: CircleDashed };

/** How a webhook or a delivery stands. */
export function Standing({ of }: { of: Of }) {
  return (
    <span class={`standing ${of.kind}`}>
      <Icon of={ICONS[of.kind]} />
      <span>{of.text}</span>
    </span>
  );
}
