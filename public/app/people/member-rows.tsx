import { useMemo, useState } from "preact/hooks";
import type { Member, MyRoom, Status } from "../../../src/wire/models.ts";
import { openDialog } from "../session/overlay.ts";
import { Avatar, Dot, nameOf } from "../session/person.tsx";
import { Icon } from "../parts/icon.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { useMedia } from "../parts/use-media.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { openPersonMenu } from "./open-person-menu.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { ChevronDown, ChevronRight, Ellipsis, MessageCircle } from "lucide";
import { store } from "../session/store.ts";
import { Menu } from "../parts/menu.tsx";
import { openDirectWith } from "../session/direct.ts";
import { roleItems } from "./role-items.ts";

/** The filter is shown for at least this many members. */
const MIN_TO_FILTER = 12;
/** How many offline members are shown until the reader asks for more. */
const MAX_OFFLINE = 24;
/** In px, the same as in the style sheet: for a pointer, and for a finger. */
const ROW_HEIGHT = 36;
const TOUCH_ROW_HEIGHT = 44;

type Row = Member | { group: Status; count: number };
type MemberRowsProps = { room: MyRoom; members: Member[]; onTransfer(member: Member): void };

/** A room's members by name: first those who are online, then the others, with a filter. */
export function MemberRows({ room, members, onTransfer }: MemberRowsProps) {
  const [query, setQuery] = useState("");
  const isTouched = useMedia("(pointer: coarse)");
  const locale = currentLocale();
  const sorted = useMemo(() => sortByName(members, locale), [members, locale]);
  const [isOfflineShown, showOffline] = useState(false);
  const matches = filterMembers(sorted, query);
  const isFoldable = query === "" && countOffline(matches) > MAX_OFFLINE;
  const rows = toRows(matches, isFoldable && !isOfflineShown);
  return (
    <>
      {(members.length >= MIN_TO_FILTER || query) && (
        <SearchBox
          class="filter"
          label={t("members.filter")}
          placeholder={t("members.filter")}
          value={query}
          onValue={setQuery}
        />
      )}
      {rows.length === 0 && (
        <p class="muted small hint" role="status">
          {t("members.no-match")}
        </p>
      )}
      <VirtualList
        label={t("panel.members")}
        items={rows}
        rowHeight={isTouched ? TOUCH_ROW_HEIGHT : ROW_HEIGHT}
        keyOf={(row) => ("group" in row ? row.group : row.user.id)}
        classOf={(row) =>
          "group" in row ? "member-group flex" : `member hover row rounded relative ${row.status}`
        }
        render={(row) =>
          "group" in row ? (
            <GroupName
              row={row}
              fold={
                isFoldable && row.group === "offline"
                  ? { isOpen: isOfflineShown, onToggle: () => showOffline(!isOfflineShown) }
                  : null
              }
            />
          ) : (
            <MemberRow room={room} member={row} onTransfer={() => onTransfer(row)} />
          )
        }
      />
    </>
  );
}

type GroupProps = {
  row: { group: Status; count: number };
  /** Set for a group that can be collapsed. */
  fold: { isOpen: boolean; onToggle(): void } | null;
};

/** The heading of a group of members: online or offline, and how many they are. */
function GroupName({ row: { group, count }, fold }: GroupProps) {
  const name = (
    <span>
      {t(group === "online" ? "members.online" : "members.offline")}{" "}
      <span class="count">{getNumberFormat(currentLocale()).format(count)}</span>
    </span>
  );
  return (
    <h3 class="muted small strong">
      {fold ? (
        <button type="button" class="row gap-4" aria-expanded={fold.isOpen} onClick={fold.onToggle}>
          {name}
          <Icon of={fold.isOpen ? ChevronDown : ChevronRight} />
        </button>
      ) : (
        name
      )}
    </h3>
  );
}

type MemberRowProps = { room: MyRoom; member: Member; onTransfer(): void };

function MemberRow({ room, member, onTransfer }: MemberRowProps) {
  const { user, role, status } = member;
  return (
    <>
      <button
        type="button"
        class="who grow"
        onClick={({ currentTarget: anchor }) => openDialog({ name: "person", user, anchor })}
        onContextMenu={(event) => openPersonMenu(event, user, roleItems(room, member, onTransfer))}
      >
        <span class="face grid relative">
          <Avatar user={user} size={28} />
          <Dot status={status} />
        </span>
        <span class="truncate name" title={`@${user.username}`}>
          {nameOf(user)}
        </span>
      </button>
      {(role !== "member" || user.is_bot) && (
        <span class="role small muted">
          {role === "member" ? t("members.bot") : t("members.role", { role })}
        </span>
      )}
      <MemberMenu room={room} member={member} onTransfer={onTransfer} />
    </>
  );
}

function sortByName(members: Member[], locale: string): Member[] {
  // One collator for all comparisons: sorting 2,000 names compares 20,000 pairs.
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return members.toSorted((a, b) => compare(nameOf(a.user), nameOf(b.user)));
}

function filterMembers(members: Member[], query: string): Member[] {
  const needle = query.trim().replace(/^@/, "").toLocaleLowerCase();
  if (!needle) return members;
  return members.filter(({ user }) =>
    [user.username, nameOf(user)].some((name) => name.toLocaleLowerCase().includes(needle)),
  );
}

const countOffline = (members: Member[]) =>
  members.filter(({ status }) => status === "offline").length;

/** The online members under their heading, then the others under theirs. */
function toRows(members: Member[], isOfflineHidden: boolean): Row[] {
  return (["online", "offline"] as const).flatMap((group) => {
    const own = members.filter(({ status }) => status === group);
    const isHidden = isOfflineHidden && group === "offline";
    return own.length === 0 ? [] : [{ group, count: own.length }, ...(isHidden ? [] : own)];
  });
}

type MenuProps = { room: MyRoom; member: Member; onTransfer(): void };

function MemberMenu({ room, member, onTransfer }: MenuProps) {
  const { user } = member;
  if (user.id === store.me.value?.id) return null;
  const items = [
    { label: t("direct.message"), icon: MessageCircle, onSelect: () => openDirectWith([user]) },
    ...roleItems(room, member, onTransfer),
  ];
  return <Menu icon={Ellipsis} label={t("actions-for", { name: nameOf(user) })} items={items} />;
}
