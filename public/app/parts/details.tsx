import { ChevronRight } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** Content that a click on its summary shows. */
export function Details({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details>
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
