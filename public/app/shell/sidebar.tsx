import { Archive, Compass, Hash, Lock, Plus, Search, Settings2 } from "lucide";
import type { Me, MyRoom } from "../../../src/wire/models.ts";
import { background } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { overlay } from "../session/overlay.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { roomList } from "../state/model.ts";
import { roomPath } from "../state/route.ts";
import { Brand } from "../sign-in/sign-in-page.tsx";
import { SidebarEdge } from "./sidebar-edge.tsx";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** The list of rooms, and the reader's account. */
export function Sidebar({ inert }: { inert: boolean }) {
  const { rooms, me } = store.state.value;
  return (
    <aside class="sidebar" aria-label={t("shell.rooms")} inert={inert}>
      <header>
        <Brand />
        <IconButton
          icon={Search}
          label={t("shell.go-to")}
          onClick={() => {
            overlay.value = { name: "switcher" };
          }}
        />
      </header>
      <nav aria-label={t("shell.rooms")}>
        <h2>
          {t("shell.rooms")}
          <IconButton
            icon={Plus}
            label={t("create.title")}
            onClick={() => {
              overlay.value = { name: "create-room" };
            }}
          />
        </h2>
        <ul>
          {roomList(store.state.value).map((room) => (
            <li key={room.id}>
              <RoomLink room={room} />
            </li>
          ))}
        </ul>
        {rooms === null && <div class="skeleton" style={{ height: "32px", margin: "8px" }} />}
        <a
          class="room-link"
          href="/browse"
          aria-current={background.value.route.name === "browse" ? "page" : undefined}
        >
          <Icon of={Compass} />
          {t("shell.browse")}
        </a>
        {me?.is_site_admin && (
          <a
            class="room-link"
            href="/admin"
            aria-current={background.value.route.name === "admin" ? "page" : undefined}
          >
            <Icon of={Settings2} />
            {t("shell.administration")}
          </a>
        )}
      </nav>
      {me && (
        <footer>
          <a class="me-button" href="/profile">
            <span class="visually-hidden">{t("shell.profile")} </span>
            <Avatar user={me} size={32} />
            <span class="grow">
              <span class="truncate" dir="auto" style={{ display: "block" }}>
                {nameOf(me)}
              </span>
              <span class="muted small">{subtitleOf(me)}</span>
            </span>
          </a>
        </footer>
      )}
      <SidebarEdge />
    </aside>
  );
}

function subtitleOf(me: Me): string {
  return me.appear_offline ? t("shell.offline") : `@${me.username}`;
}

function RoomLink({ room }: { room: MyRoom }) {
  const here = background.value.route;
  const current = here.name === "room" && here.room === room.name;
  const unread = room.membership?.unread === true;
  const mentions = room.membership?.mention_count ?? 0;
  return (
    <a
      class={`room-link ${unread ? "unread" : ""}`}
      href={roomPath(room.name)}
      title={`#${room.name}`}
      aria-current={current ? "page" : undefined}
    >
      <Icon of={room.is_archived ? Archive : room.privacy === "private" ? Lock : Hash} />
      <span class="grow truncate">{room.name}</span>
      {unread && mentions > 0 && (
        <span class="badge">{getNumberFormat(currentLocale()).format(mentions)}</span>
      )}
      {unread && mentions === 0 && (
        <span class="unread-dot" role="img" aria-label={t("shell.unread")} />
      )}
    </a>
  );
}
