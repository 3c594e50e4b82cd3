import { ChevronRight } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

type DetailsProps = { summary: ComponentChildren; open?: boolean; children: ComponentChildren };

/** Content that a click on its summary shows. */
export function Details({ summary, children, ...rest }: DetailsProps) {
  return (
    <details {...rest}>
      <summary class="row">
        <Chevron />
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** Points down while the `details` around it is open. */
export function Chevron() {
  return (
    <span class="chevron flex muted">
      <Icon of={ChevronRight} />
    </span>
  );
}
