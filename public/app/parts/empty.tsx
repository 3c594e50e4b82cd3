import type { ComponentChildren } from "preact";

/** An empty state: an illustration, a text and one action. */
export function Empty({
  title,
  text,
  main,
  children,
}: {
  title: string;
  text?: string;
  /** Set if it fills the screen: the title is then the h1. */
  main?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty center gap-16">
      <svg
        viewBox="0 0 96 96"
        fill="none"
        stroke="currentColor"
        stroke-width="3"
        aria-hidden="true"
      >
        <path d="M14 84V46a34 34 0 0 1 68 0v38z" />
        <path d="M34 84V54a14 14 0 0 1 28 0v30" />
        <path d="M48 70c-5-4-5-9 0-14 5 5 5 10 0 14z" fill="currentColor" stroke="none" />
        <path d="M6 84h84" stroke-linecap="round" />
      </svg>
      {main ? <h1>{title}</h1> : <h2>{title}</h2>}
      {text && <p class="muted">{text}</p>}
      {children}
    </div>
  );
}
