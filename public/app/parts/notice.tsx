import { CircleAlert, Info } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

type NoticeProps = { isWarning?: boolean; children: ComponentChildren };

/** How something is set up, or what is missing, above the controls that change it. */
export function Notice({ isWarning, children }: NoticeProps) {
  return (
    <p class={`notice row rounded small ${isWarning ? "warning" : ""}`}>
      <Icon of={isWarning ? CircleAlert : Info} />
      <span>{children}</span>
    </p>
  );
}
