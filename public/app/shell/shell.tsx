import {
  background,
  isDrawerOpen,
  navigateTo,
  Redirect,
  route,
  searched,
} from "../session/navigation.ts";
import { areListsKnown } from "../session/first-lists.ts";
import { store } from "../session/store.ts";
import { SETUP_STEPS } from "../../../src/wire/limits.ts";
import { Boundary } from "../session/boundary.tsx";
import { DialogBoundary } from "../session/dialog-boundary.tsx";
import { lazy } from "../parts/lazy.tsx";
import { quietRest, rest } from "../parts/load-rest.tsx";
import { DirectPane } from "../conversations/direct-pane.tsx";
import { Banners, MissingParts } from "./banners.tsx";
import { Bar } from "./bar.tsx";
import { chooseFirstRoom } from "../state/conversations/recent-rooms.ts";
import { roomByName, roomList } from "../state/model/model.ts";
import { roomPath, samePath } from "../state/route.ts";
import { Overlays } from "./overlays.tsx";
import { PaneHead } from "../session/pane-head.tsx";
import { ConversationScreen } from "../conversations/conversation-screen.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSidebarDrawer } from "./use-sidebar-drawer.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";
import { useEffect, useRef } from "preact/hooks";

const Activity = rest("Activity");
const Later = rest("Later");
const Drafts = rest("Drafts");
const Admin = lazy("admin", () => import("../admin/admin.tsx").then((m) => m.Admin));
const SkipLinks = quietRest("SkipLinks");
const Browse = rest("Browse");
const Profile = lazy("profile", () => import("../profile/profile.tsx").then((m) => m.Profile));
const EmptyScreen = rest("EmptyScreen");
const OutsideRoom = rest("OutsideRoom");
const Search = rest("Search");
const Threads = rest("Threads");
const Share = rest("Share");

/** The page of a signed-in person: the sidebar and the current screen. */
export function Shell({ isEntered }: { isEntered: boolean }) {
  const { shell, state } = useSidebarDrawer();
  const isPhone = state !== "none";
  useFocusOnNavigation(isEntered);
  return (
    <div
      ref={shell}
      class={`shell ${state === "out" ? "drawer-open" : ""}`}
      data-connection={store.status.value}
    >
      <SkipLinks />
      <Banners />
      <MissingParts />
      <Boundary frame={(fault) => <aside class="sidebar">{fault}</aside>}>
        <Sidebar inert={state === "in"} />
      </Boundary>
      <button
        type="button"
        class="scrim"
        aria-label={t("shell.close-rooms")}
        onClick={() => (isDrawerOpen.value = false)}
      />
      <main class="main" tabIndex={-1} inert={state === "out"}>
        <Boundary
          key={background.value.route.name}
          of={background.value.path}
          main
          frame={(fault) => (
            <section class="pane">
              <PaneHead />
              {fault}
            </section>
          )}
        >
          <Pane />
        </Boundary>
      </main>
      {searched.value !== null && background.value.route.name !== "search" && <Search />}
      {isPhone && <Bar shell={shell} />}
      <ProfileDialog />
      <Overlays />
    </div>
  );
}

/** The profile: a dialog with its own address, above the current screen. */
function ProfileDialog() {
  const here = route.value;
  if (here.name !== "profile") return null;
  const close = () => navigateTo(background.value.path);
  return (
    <DialogBoundary of={here.part} onClose={close}>
      <Profile part={here.part} onClose={close} />
    </DialogBoundary>
  );
}

function Pane() {
  const here = background.value.route;
  const { conversations, me } = store.state.value;
  const team = store.team.value;
  if (here.name === "activity") return <Activity />;
  if (here.name === "threads") return <Threads />;
  if (here.name === "later") return <Later key={here.filter} filter={here.filter} />;
  if (here.name === "drafts") return <Drafts />;
  if (here.name === "browse") return <Browse />;
  if (here.name === "search") return <Search isScreen />;
  if (here.name === "share") return <Share />;
  // People who are not administrators get the page for unknown addresses.
  if (here.name === "admin" && me?.is_site_admin) return <Admin part={here.part} />;
  if (here.name === "not-found" || here.name === "admin") return <EmptyScreen reason="not-found" />;
  if (!areListsKnown.value || conversations === null) return <div class="pane" aria-busy="true" />;
  if (here.name === "direct") return <DirectPane here={here} />;
  if (here.name === "room") {
    const room = roomByName(store.state.value, here.room);
    if (room) {
      const { messageId, threadId } = here;
      return (
        <ConversationScreen
          key={room.id}
          conversation={room}
          messageId={messageId}
          threadId={threadId}
        />
      );
    }
    const renamed = store.live.roomFormerly(here.room);
    if (renamed) return <Redirect to={samePath(renamed.name, here)} />;
    return <OutsideRoom key={here.room} room={here.room} />;
  }
  if (route.value.name === "home" && me?.is_site_admin && team && team.setup_step < SETUP_STEPS)
    return <Redirect to="/admin/setup" />;
  const first = chooseFirstRoom(roomList(store.state.value), localStore.getItem("snug.room"));
  if (!first) return <EmptyScreen reason="no-rooms" />;
  // The address belongs to the dialog above, so it must not be replaced.
  if (route.value.name !== "home") return <div class="pane" />;
  return <Redirect to={roomPath(first.name)} />;
}

/**
 * Moves the focus to the new screen after navigation: the link may be gone from the page, and a screen
 * reader announces the place. A screen that sets the focus itself keeps it.
 * @param isEntered whether the first screen replaces another one, such as the sign-in
 */
function useFocusOnNavigation(isEntered: boolean): void {
  const here = background.value.route;
  const isKnown = store.state.value.conversations !== null;
  // If the reader is removed from a room, the screen changes at the same address.
  const place =
    here.name === "room"
      ? `${here.room} ${roomByName(store.state.value, here.room) !== undefined}`
      : here.name === "direct"
        ? here.id
        : here.name;
  const before = useRef<string | null>(null);
  useEffect(() => {
    // Until the rooms are loaded, no screen is shown.
    if (!isKnown) return;
    const isFirst = before.current === null;
    before.current = place;
    if (isFirst && !isEntered) return;
    const main = document.querySelector<HTMLElement>("main");
    const { activeElement } = document;
    if (!main || main.contains(activeElement) || activeElement?.closest("dialog, .search-panel"))
      return;
    const target = main.querySelector<HTMLElement>("h1") ?? main;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [place, isKnown]);
}
