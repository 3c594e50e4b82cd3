import { AtSign, Clock, Ellipsis, FileText, Hash, MessageCircle, Settings2 } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Person as LoadedPerson, User } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { rememberFocus } from "../parts/return-focus.ts";
import { hoursAhead } from "../parts/hours-ahead.ts";
import { Popup } from "../parts/popup.tsx";
import { timeOf } from "../parts/times.ts";
import { copyText } from "../session/copy-text.ts";
import { openDirectWith } from "../session/direct.ts";
import { navigateTo } from "../session/navigation.ts";
import { openConversation } from "../session/open-conversation.ts";
import { type DialogProps, openDialog } from "../session/overlay.ts";
import { openSearch } from "../session/search-address.ts";
import { Avatar, currentUser, Dot, nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { directWith } from "../state/conversations/directs.ts";
import { activeAt } from "../state/model/conversation.ts";
import { roomById } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { roleItems } from "./role-items.ts";
import { showToast } from "../session/toasts.ts";
import { describeError } from "../words/describe-error.ts";

/** A person's card beside the clicked element, or a sheet on a phone. */
export function PersonCard({ user, anchor, onClose }: DialogProps<"person">) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const returnFocus = rememberFocus();
    return () => {
      const now = document.activeElement;
      // A click elsewhere may have moved the focus.
      if (now === null || now === document.body) returnFocus();
    };
  }, []);
  return (
    <Popup
      content={ref}
      label={nameOf(user)}
      role="dialog"
      class="person-card"
      anchor={anchor}
      first="button"
      side="start"
      onClose={onClose}
    >
      <Person user={user} onClose={onClose} />
    </Popup>
  );
}

type PersonProps = { user: User; onClose(): void };

function Person({ user: openedUser, onClose }: PersonProps) {
  const user = currentUser(openedUser);
  const person = usePerson(user.id);
  const status = person?.status ?? listedStatus(user.id);
  const isMe = user.id === store.me.value?.id;
  return (
    <div class="stack gap-12">
      <div class="row gap-12 person-head">
        <Avatar user={user} size={64} />
        <div class="grow">
          <b class="words" dir="auto">
            {nameOf(user)}
          </b>
          <p class="muted small truncate">@{user.username}</p>
          <p class="presence row muted small">
            {!user.is_active && t("person.deactivated")}
            {user.is_bot && <span class="tag">{t("members.bot")}</span>}
            {user.is_active && status && (
              <>
                <Dot status={status} />
                <span aria-hidden="true">
                  {t(status === "online" ? "members.online" : "members.offline")}
                </span>
              </>
            )}
          </p>
        </div>
      </div>
      {(person === null || person.time_zone || hasShared(person)) && (
        <div
          class={`person-facts ${isMe ? "" : "of-other"} stack gap-4 muted small`}
          aria-busy={person === null}
        >
          {person?.time_zone && <LocalTime timeZone={person.time_zone} />}
          {person && !isMe && <SharedRooms ids={person.shared_room_ids} onClose={onClose} />}
          {person && !isMe && hasShared(person) && <SharedFiles user={user} onClose={onClose} />}
        </div>
      )}
      <div class="row gap-12">
        {user.is_active && (
          <Button
            kind="primary"
            onClick={() => {
              onClose();
              openDirectWith(isMe ? [] : [user]);
            }}
          >
            <Icon of={MessageCircle} />
            {isMe ? t("direct.notes") : t("direct.message")}
          </Button>
        )}
        <Menu
          icon={Ellipsis}
          label={t("actions-for", { name: nameOf(user) })}
          items={itemsFor(user, onClose)}
        />
      </div>
    </div>
  );
}

function usePerson(id: string): LoadedPerson | null {
  const [person, setPerson] = useState<LoadedPerson | null>(null);
  useEffect(() => {
    let isCurrent = true;
    store.call("GET /api/users/:id", { params: { id } }).then(
      (loaded) => isCurrent && setPerson(loaded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return person;
}

function listedStatus(id: string) {
  const members = Object.values(store.state.value.views).flatMap((view) => view.members ?? []);
  return members.find(({ user }) => user.id === id)?.status;
}

const TICK_MS = 1_000;

/** "14:05 local time · 3 h ahead"; nothing for a time zone that the browser does not know. */
function LocalTime({ timeZone }: { timeZone: string }) {
  const [now, setNow] = useState(new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const hours = hoursAhead(timeZone, now);
  if (hours === null) return null;
  const key = hours > 0 ? "person.ahead" : "person.behind";
  return (
    <p class="row">
      <Icon of={Clock} />
      <span>
        {t("person.local-time", { time: timeOf(now.toISOString(), timeZone) })}
        {hours !== 0 && ` · ${t(key, { hours: Math.abs(hours) })}`}
      </span>
    </p>
  );
}

/** How many shared rooms are shown until the reader asks for more. */
const MAX_ROOMS = 3;

/** How many rooms both are in, and those with the newest messages. */
function SharedRooms({ ids, onClose }: { ids: string[]; onClose(): void }) {
  const [isWhole, showWhole] = useState(false);
  const shared = ids.flatMap((id) => roomById(store.state.value, id) ?? []);
  if (shared.length === 0) return null;
  const byActivity = shared.toSorted((a, b) => activeAt(b).localeCompare(activeAt(a)));
  const rooms = isWhole ? byActivity : byActivity.slice(0, MAX_ROOMS);
  const rest = shared.length - rooms.length;
  return (
    <div class="row">
      <Icon of={Hash} />
      <p class="words">
        {t("person.shared", { count: shared.length })}{" "}
        {rooms.map(({ id, name }, i) => (
          <span key={id}>
            {i > 0 && ", "}
            <a href={roomPath(name)} onClick={onClose}>
              #{name}
            </a>
          </span>
        ))}
        {rest > 0 && (
          <>
            {", "}
            <button type="button" class="more-rooms" onClick={() => showWhole(true)}>
              {t("person.more-rooms", { count: rest })}
            </button>
          </>
        )}
      </p>
    </div>
  );
}

/** Opens the search for the files of a person with whom the reader shares a room or conversation. */
function SharedFiles({ user, onClose }: PersonProps) {
  const search = () => {
    onClose();
    openSearch(`from:@${user.username} has:file`);
  };
  return (
    <div class="row">
      <Icon of={FileText} />
      <p class="truncate">
        <button type="button" class="more-rooms" onClick={search}>
          {t("person.files", { name: nameOf(user) })}
        </button>
      </p>
    </div>
  );
}

/** Whether the reader and a person can have files of each other: in a room, or in a conversation. */
const hasShared = ({ user, shared_room_ids }: LoadedPerson) =>
  shared_room_ids.length > 0 || directWith(store.state.value, [user.id]) !== undefined;

/** The reader's actions on a person: everywhere, in the open room, and as an administrator. */
function itemsFor(user: User, onClose: () => void): MenuItem[] {
  const items: MenuItem[] = [
    {
      label: t("person.copy-mention"),
      icon: AtSign,
      onSelect: () => copyText(`@${user.username}`),
    },
  ];
  const room = openConversation.value;
  const members = room && store.state.value.views[room.id]?.members;
  const member = members?.find((other) => other.user.id === user.id);
  if (store.me.value?.is_site_admin)
    items.push({
      label: t("admin.title"),
      icon: Settings2,
      onSelect: () => {
        onClose();
        navigateTo("/admin/people");
      },
    });
  if (room?.kind === "room" && member) items.push(...roleItems(room, member));
  return items;
}

/** Opens the card of a person whose mention in a message is clicked. */
export function watchMentions(): void {
  document.addEventListener("click", ({ target }) => {
    const anchor = target instanceof Element ? target.closest(".content .mention") : null;
    const username = anchor?.textContent?.replace(/^@/, "").toLowerCase();
    if (!anchor || !username || getSelection()?.isCollapsed === false) return;
    findByUsername(username).then(
      (user) => {
        if (user) openDialog({ name: "person", user, anchor });
      },
      (error: unknown) => showToast(describeError(error)),
    );
  });
}

/** A person by username; undefined for `@room` and `@here`. */
export async function findByUsername(username: string): Promise<User | undefined> {
  const isNamed = (user: User) => user.username.toLowerCase() === username;
  const loaded = Object.values(store.state.peek().users).find(isNamed);
  if (loaded) return loaded;
  const { items } = await store.call("GET /api/users", { query: { query: username, limit: 20 } });
  return items.find(isNamed);
}
