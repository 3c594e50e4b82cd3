import type { ComponentChildren } from "preact";
import { store } from "../session/store.ts";
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

/** The team's logo and name; Snug's own until it has some. */
export function Brand() {
  const team = store.team.value;
  const logo = team?.logo_url;
  return (
    <a class="brand" href="/">
      <img src={logo ? `${logo}&size=128` : mark} alt="" />
      <span class="truncate" dir="auto">
        {team?.name ?? "Snug"}
      </span>
    </a>
  );
}
