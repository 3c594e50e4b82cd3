import type { Me } from "../../../src/wire/models.ts";
import { useScreenTitle } from "../session/navigation.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { PROFILE_PAGES } from "../session/profile-pages.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { PageTabs } from "../parts/page-links.tsx";
import type { ProfilePage } from "../state/route.ts";
import { Account, ClockChoice, LanguageChoice } from "./account.tsx";
import { Appearance, DeviceSettings } from "./appearance/appearance.tsx";
import { Notifications } from "./notifications.tsx";
import { lazy } from "../parts/load-chunk.tsx";
import { SignOut } from "./sign-out.tsx";
import { t } from "../words/translate.ts";

const Security = lazy("profile/security/security.tsx", "Security");

type ProfileProps = {
  part: ProfilePage;
  /** Null on a phone, where each page is a screen, to which the user's own screen leads. */
  onClose: (() => void) | null;
};

/** The user's own profile, in a dialog over the page from which it was opened. */
export function Profile({ part, onClose }: ProfileProps) {
  const me = store.me.value;
  useScreenTitle(`${t(`profile.${part}`)} · ${t("profile.title")}`);
  if (!me) return null;
  if (!onClose) {
    return (
      <section class="pane">
        <PaneHead title={t(`profile.${part}`)} back="/you" />
        <div class="parted grid grow">
          <div class="part scroll" key={part}>
            <Part me={me} part={part} />
          </div>
        </div>
      </section>
    );
  }
  const pages = PROFILE_PAGES.map(([name, icon]) => {
    return { href: `/profile/${name}`, icon, label: t(`profile.${name}`) };
  });
  return (
    <Dialog title={t("profile.title")} wide onClose={onClose}>
      <div class="parted grid">
        <PageTabs label={t("profile.title")} pages={pages} current={`/profile/${part}`} />
        <div class="part scroll" key={part}>
          <h2>{t(`profile.${part}`)}</h2>
          <Part me={me} part={part} />
        </div>
      </div>
    </Dialog>
  );
}

function Part({ me, part }: { me: Me; part: ProfilePage }) {
  if (part === "appearance") {
    return (
      <>
        <Appearance me={me} />
        <section class="card">
          <h2>{t("push.title")}</h2>
          <LanguageChoice />
          <ClockChoice />
          <DeviceSettings />
        </section>
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
