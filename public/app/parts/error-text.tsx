import { CircleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** An error message, announced by screen readers. */
export function ErrorText({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="error" id={id} role="alert">
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </p>
  );
}
