import {
  background,
  isDrawerOpen,
  leaveTo,
  Redirect,
  route,
  searched,
  startsInRoom,
} from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { SETUP_STEPS } from "../../../src/wire/limits.ts";
import { Boundary, DialogBoundary } from "../session/boundary.tsx";
import { reportFirstScreen } from "../parts/first-screen.ts";
import { lazy } from "../parts/load-chunk.tsx";
import { quietRest, rest } from "../parts/load-rest.tsx";
import { ONE_PANE, PHONE, useMedia } from "../parts/use-media.ts";
import { DirectPane } from "../conversations/direct-pane.tsx";
import { Banners } from "./banners.tsx";
import { Bar } from "./bar.tsx";
import { chooseFirstRoom } from "../state/conversations/recent-rooms.ts";
import { roomByName, roomList } from "../state/model/model.ts";
import { type Route, roomPath, samePath } from "../state/route.ts";
import { Overlays } from "./overlays.tsx";
import { PaneHead } from "../session/pane-head.tsx";
import { ConversationScreen } from "../conversations/conversation-screen.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSidebarDrawer } from "./use-sidebar-drawer.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";
import { useEffect, useRef } from "preact/hooks";
import { areListsLoaded } from "../session/personal-signals.ts";

const Activity = rest("Activity");
const Later = rest("Later");
const Drafts = rest("Drafts");
const Admin = lazy("admin/admin.tsx", "Admin");
const SkipLinks = quietRest("SkipLinks");
const Browse = rest("Browse");
const Profile = lazy("profile/profile.tsx", "Profile");
const EmptyScreen = rest("EmptyScreen");
const OutsideRoom = rest("OutsideRoom");
const Search = rest("Search");
const SearchPanel = rest("Search", "search-panel");
const Threads = rest("Threads");
const Share = rest("Share");
const You = rest("You");

/** The page of a signed-in person: the sidebar and the current screen. */
export function Shell({ isEntered }: { isEntered: boolean }) {
  const { shell, state } = useSidebarDrawer();
  const isPhone = useMedia(PHONE);
  const isOnePane = useMedia(ONE_PANE);
  const { route: here, path } = screenOf(isPhone);
  const isHome = useIsHome(isPhone, here);
  const hasSearchPanel = searched.value !== null && here.name !== "search";
  useFocusOnNavigation(isEntered, isPhone, isHome, here);
  const isHomeReady = isHome && areListsLoaded.value;
  useEffect(() => {
    if (isHomeReady) reportFirstScreen();
  }, [isHomeReady]);
  return (
    <div
      ref={shell}
      class={`shell grid relative ${state === "out" ? "drawer-open" : ""} ${isHome ? "at-home" : ""}`}
      data-connection={store.status.value}
    >
      <SkipLinks />
      <Banners />
      <Boundary frame={(fault) => <aside class="sidebar relative">{fault}</aside>}>
        <Sidebar inert={state === "in"} isHome={isHome} />
      </Boundary>
      <button
        type="button"
        class="scrim"
        aria-label={t("shell.close-rooms")}
        onClick={() => (isDrawerOpen.value = false)}
      />
      <main
        class="main relative flex"
        tabIndex={-1}
        // The search covers it on a narrow page.
        inert={state === "out" || (isOnePane && hasSearchPanel)}
      >
        <Boundary
          key={here.name}
          of={path}
          main
          frame={(fault) => (
            <section class="pane">
              <PaneHead />
              {fault}
            </section>
          )}
        >
          <Pane here={here} isHome={isHome} />
        </Boundary>
      </main>
      {hasSearchPanel && <SearchPanel />}
      {isPhone && <Bar shell={shell} />}
      {!isPhone && <ProfileDialog />}
      <Overlays />
    </div>
  );
}

/**
 * The current screen. On a phone the profile is a screen; elsewhere it is a dialog above another
 * screen.
 */
function screenOf(isPhone: boolean): { route: Route; path: string } {
  const isProfile = isPhone && route.value.name === "profile";
  return isProfile ? { route: route.value, path: location.pathname } : background.value;
}

/**
 * Whether a phone shows Home, the list of rooms. A new account starts in a room, or at the welcome
 * if it has neither rooms nor conversations.
 */
function useIsHome(isPhone: boolean, here: Route): boolean {
  if (!isPhone || here.name !== "home") return false;
  if (startsInRoom.value && localStore.getItem("snug.room") === null) return false;
  const { conversations } = store.state.value;
  return conversations === null || !isEmpty(conversations);
}

const isEmpty = (object: object) => Object.keys(object).length === 0;

/** The profile: a dialog with its own address, above the current screen. */
function ProfileDialog() {
  const here = route.value;
  if (here.name !== "profile") return null;
  const close = () => void leaveTo(background.value.path);
  return (
    <DialogBoundary of={here.part} onClose={close}>
      <Profile part={here.part} onClose={close} />
    </DialogBoundary>
  );
}

function Pane({ here, isHome }: { here: Route; isHome: boolean }) {
  const { conversations, me } = store.state.value;
  const team = store.team.value;
  if (here.name === "activity") return <Activity />;
  if (here.name === "threads") return <Threads />;
  if (here.name === "later") return <Later key={here.filter} filter={here.filter} />;
  if (here.name === "drafts") return <Drafts />;
  if (here.name === "browse") return <Browse />;
  if (here.name === "search") return <Search isScreen />;
  if (here.name === "share") return <Share />;
  if (here.name === "you") return <You />;
  if (here.name === "profile") return <Profile part={here.part} onClose={null} />;
  // For anyone but administrators, the address is unknown.
  if (here.name === "admin" && me?.is_site_admin) return <Admin part={here.part} />;
  if (here.name === "not-found" || here.name === "admin") return <EmptyScreen reason="not-found" />;
  if (!areListsLoaded.value || conversations === null) return <div class="pane" aria-busy="true" />;
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
  if (isHome) return null;
  const first = chooseFirstRoom(roomList(store.state.value), localStore.getItem("snug.room"));
  if (!first) return <EmptyScreen reason="no-rooms" />;
  return <Redirect to={roomPath(first.name)} />;
}

/**
 * Moves the focus to the new screen after navigation: the clicked link may have been removed, and
 * screen readers announce the new screen. A screen that sets the focus itself keeps it.
 * @param isEntered whether the first screen replaces another one, such as the sign-in
 */
function useFocusOnNavigation(
  isEntered: boolean,
  isPhone: boolean,
  isHome: boolean,
  here: Route,
): void {
  const isKnown = store.state.value.conversations !== null;
  // If the reader is removed from a room, the screen changes but the address does not.
  const place =
    here.name === "room"
      ? `${here.room} ${roomByName(store.state.value, here.room) !== undefined}`
      : here.name === "direct"
        ? here.id
        : here.name === "admin" && isPhone
          ? `admin ${here.part}`
          : here.name;
  const before = useRef<string | null>(null);
  useEffect(() => {
    // Until the rooms are loaded, no screen is shown.
    if (!isKnown) return;
    const isFirst = before.current === null;
    before.current = place;
    if (isFirst && !isEntered) return;
    const main = document.querySelector<HTMLElement>(isHome ? ".sidebar" : "main");
    const { activeElement } = document;
    if (!main || main.contains(activeElement) || activeElement?.closest("dialog, .search-panel"))
      return;
    const target = main.querySelector<HTMLElement>("h1") ?? main;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [place, isKnown]);
}
