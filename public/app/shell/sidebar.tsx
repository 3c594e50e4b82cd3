import { Search, SquarePen } from "lucide";
import { openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { IconButton } from "../parts/button.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { Brand } from "../sign-in/sign-in-page.tsx";
import { Destinations } from "./destinations.tsx";
import { OwnRow } from "./own-row.tsx";
import { RoomList } from "./room-list.tsx";
import { t } from "../words/translate.ts";
import { areListsLoaded } from "../session/personal-signals.ts";

const SidebarEdge = quietRest("SidebarEdge");

/**
 * The links and rooms, which scroll between the team's name and the reader's own row; on a phone
 * they are its Home screen.
 */
export function Sidebar({ inert, isHome }: { inert: boolean; isHome: boolean }) {
  const me = store.me.value;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of its roles have names
    <div
      class="sidebar relative"
      role={isHome ? "main" : "complementary"}
      aria-label={t("sidebar.rooms")}
      inert={inert}
    >
      {isHome && <h1 class="visually-hidden">{t("bar.home")}</h1>}
      <div class="sidebar-head between">
        <Brand />
        <IconButton
          icon={SquarePen}
          label={t("direct.new-key")}
          onClick={() => openDialog({ name: "new-message" })}
        />
        <IconButton
          icon={Search}
          label={t("shell.go-to")}
          class="not-on-phone"
          onClick={() => openDialog({ name: "switcher" })}
        />
      </div>
      {areListsLoaded.value ? (
        <RoomList />
      ) : (
        <div class="rooms-ahead grow" aria-busy="true">
          <Destinations />
          <div class="skeleton room-skeleton" />
        </div>
      )}
      <div class="sidebar-foot border-top">{me && <OwnRow me={me} />}</div>
      <SidebarEdge />
    </div>
  );
}
