import type { IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

type EmptyProps = {
  icon: IconNode;
  title: string;
  text?: string;
  /** Set if it fills the screen: the title is then the h1. */
  main?: boolean;
  children?: ComponentChildren;
};

/** An empty state: an icon, a text and one action. */
export function Empty({ icon, title, text, main, children }: EmptyProps) {
  return (
    <div class="empty center gap-16 scroll">
      <Icon of={icon} />
      {main ? <h1>{title}</h1> : <h2>{title}</h2>}
      {text && <p class="muted">{text}</p>}
      {children}
    </div>
  );
}
