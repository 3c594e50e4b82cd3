import type { ComponentChildren } from "preact";
import mark from "../../icon.svg";

/** The page of everything before the sign-in: a brand and one card. */
export function SignInPage({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ComponentChildren;
}) {
  return (
    <main class="sign-in-page">
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
