import { CircleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** What is wrong: an icon and words, said at once to those who listen. */
export function ErrorText({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="error" id={id} role="alert">
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </p>
  );
}
