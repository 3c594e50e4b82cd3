import { useEffect, useRef } from "preact/hooks";
import type { Me } from "../../../src/wire/models.ts";
import { useScreenTitle } from "../session/navigation.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { PROFILE_PAGES } from "../session/profile-pages.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import type { ProfilePart } from "../state/route.ts";
import { Account, LanguageChoice } from "./account.tsx";
import { Appearance } from "./appearance/appearance.tsx";
import { Notifications } from "./notifications.tsx";
import { lazy } from "../parts/lazy.tsx";
import { SignOut } from "./sign-out.tsx";
import { t } from "../words/translate.ts";

const Security = lazy("security", () => import("./security/security.tsx").then((m) => m.Security));

type ProfileProps = {
  part: ProfilePart;
  /** Null on a phone, where each page is a screen, to which the user's own screen leads. */
  onClose: (() => void) | null;
};

/** The user's own profile, in a dialog over the page from which it was opened. */
export function Profile({ part, onClose }: ProfileProps) {
  const me = store.me.value;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow page the row of tabs is wider than the dialog, so scroll to the current tab.
    const current = nav.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [part]);
  useScreenTitle(`${t(`profile.${part}`)} · ${t("profile.title")}`);
  if (!me) return null;
  if (!onClose) {
    return (
      <section class="pane">
        <PaneHead title={t(`profile.${part}`)} back="/you" />
        <div class="parted grow">
          <div class="part scroll" key={part}>
            <Part me={me} part={part} />
          </div>
        </div>
      </section>
    );
  }
  return (
    <Dialog title={t("profile.title")} wide onClose={onClose}>
      <div class="parted">
        <nav ref={nav} aria-label={t("profile.title")}>
          {PROFILE_PAGES.map(([name, icon]) => (
            <a
              key={name}
              class="room-link control muted rounded"
              href={`/profile/${name}`}
              aria-current={part === name ? "page" : undefined}
            >
              <Icon of={icon} />
              {t(`profile.${name}`)}
            </a>
          ))}
        </nav>
        <div class="part scroll" key={part}>
          <h2>{t(`profile.${part}`)}</h2>
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
