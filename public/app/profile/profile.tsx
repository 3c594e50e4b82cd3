import { Bell, Palette, ShieldCheck, UserRound } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import type { Me } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import type { ProfilePart } from "../state/route.ts";
import { Account } from "./account.tsx";
import { Appearance } from "./appearance/appearance.tsx";
import { Notifications } from "./notifications.tsx";
import { lazy } from "../parts/lazy.tsx";
import { SignOut } from "./sign-out.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { t } from "../words/translate.ts";

const Security = lazy("security", () =>
  import("./security/security-pages.ts").then((m) => m.Security),
);

const PARTS = [
  ["account", UserRound],
  ["appearance", Palette],
  ["notifications", Bell],
  ["security", ShieldCheck],
] as const;

/** The user's own profile, in a dialog over the page from which it was opened. */
export function Profile({ part, onClose }: { part: ProfilePart; onClose(): void }) {
  const me = store.me.value;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tabs are a row that is wider than the screen.
    const current = nav.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [part]);
  if (!me) return null;
  return (
    <Dialog title={t("profile.title")} wide onClose={onClose}>
      <div class="parted">
        <nav ref={nav} aria-label={t("profile.title")}>
          {PARTS.map(([name, icon]) => (
            <a
              key={name}
              class="room-link"
              href={`/profile/${name}`}
              aria-current={part === name ? "page" : undefined}
            >
              <Icon of={icon} />
              {t(`profile.${name}`)}
            </a>
          ))}
        </nav>
        <div class="part" key={part}>
          <Part me={me} part={part} />
        </div>
      </div>
    </Dialog>
  );
}

function Part({ me, part }: { me: Me; part: ProfilePart }) {
  if (part === "appearance") {
    return (
      <>
        <Appearance me={me} />
        <LanguageChoice />
      </>
    );
  }
  if (part === "notifications") return <Notifications me={me} />;
  if (part === "security") return <Security me={me} />;
  return (
    <>
      <Account me={me} />
      <SignOut />
    </>
  );
}
