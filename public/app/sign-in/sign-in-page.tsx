import type { ComponentChildren } from "preact";
import { useScreenTitle } from "../session/navigation.ts";
import { Picture } from "../parts/picture.tsx";
import { store } from "../session/store.ts";
import mark from "../../icon.svg";

/** The layout of all pages before the sign-in: the brand and one card. */
export function SignInPage({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ComponentChildren;
}) {
  useScreenTitle(title);
  return (
    <main class="sign-in-page">
      <Brand />
      <section class="card">
        <div class="stack gap-4">
          <h1>{title}</h1>
          {text && <p class="muted">{text}</p>}
        </div>
        {children}
      </section>
    </main>
  );
}

/** The team's logo and name; Snug's own by default. */
export function Brand() {
  const team = store.team.value;
  const logo = team?.logo_url;
  return (
    <a class="brand row" href="/">
      <Picture src={logo ? `${logo}&size=128` : mark} loading="eager">
        <img src={mark} alt="" />
      </Picture>
      <span class="truncate" dir="auto">
        {team?.name ?? "Snug"}
      </span>
    </a>
  );
}
