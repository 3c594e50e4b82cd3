import type { IconNode } from "lucide";
import { Icon } from "./icon.tsx";

/** An icon at the end of a row that says something about it. */
export function Sign({ icon, text }: { icon: IconNode; text: string }) {
  return (
    <span class="sign" role="img" aria-label={text} title={text}>
      <Icon of={icon} />
    </span>
  );
}
