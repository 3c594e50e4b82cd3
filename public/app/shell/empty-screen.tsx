import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { HEARTH } from "../parts/hearth.ts";
import { openDialog } from "../session/overlay.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

type EmptyScreenProps = { reason: "not-found" | "no-rooms" };

/** Shown for a room or a page that does not exist. */
export function EmptyScreen({ reason }: EmptyScreenProps) {
  return (
    <section class="pane">
      <PaneHead
        title={reason === "no-rooms" ? t("bar.home") : t("shell.not-found")}
        back={reason === "no-rooms" ? null : "/"}
      />
      {reason === "not-found" ? <NotFound /> : <NoRooms />}
    </section>
  );
}

function NotFound() {
  return (
    <Empty icon={HEARTH} title={t("shell.nothing-here")} text={t("shell.not-found-text")}>
      <div class="buttons">
        <a class="button primary" href="/">
          {t("shell.to-rooms")}
        </a>
        <a class="button" href="/search">
          {t("search.title")}
        </a>
      </div>
    </Empty>
  );
}

/** Welcomes someone who is in no room. Administrators can create a room here. */
function NoRooms() {
  const team = store.team.value?.name ?? "Snug";
  const isAdmin = store.me.value?.is_site_admin === true;
  return (
    <Empty
      icon={HEARTH}
      title={isAdmin ? t("shell.no-rooms") : t("welcome-to", { team })}
      text={isAdmin ? t("shell.no-rooms-text") : t("shell.welcome-text")}
    >
      <div class="buttons">
        {isAdmin && (
          <Button kind="primary" onClick={() => openDialog({ name: "create-room" })}>
            {t("create.title")}
          </Button>
        )}
        {isAdmin && (
          <a class="button" href="/admin/invites">
            {t("invite-people")}
          </a>
        )}
        <a class={`button ${isAdmin ? "" : "primary"}`} href="/browse">
          {t("shell.browse")}
        </a>
      </div>
    </Empty>
  );
}

/** Shown when someone else has signed in to this browser, in another tab. */
export function Replaced() {
  return (
    <main class="sign-in-page">
      <Empty icon={HEARTH} main title={t("replaced.title")} text={t("replaced.text")}>
        <Button kind="primary" onClick={() => location.assign("/")}>
          {t("replaced.go")}
        </Button>
      </Empty>
    </main>
  );
}
