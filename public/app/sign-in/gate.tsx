import type { ComponentChildren } from "preact";
import mark from "../../icon.svg";

/** The card that stands before the door: sign in, sign up. */
export function Gate({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ComponentChildren;
}) {
  return (
    <main class="gate">
      <Brand />
      <section class="card">
        <div>
          <h1>{title}</h1>
          {text && <p class="muted">{text}</p>}
        </div>
        {children}
      </section>
    </main>
  );
}

export function Brand() {
  return (
    <a class="brand" href="/">
      <img src={mark} alt="" />
      Snug
    </a>
  );
}
