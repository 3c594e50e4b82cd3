import { useMemo, useState } from "preact/hooks";
import type { Member, MyRoom, Status } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { Avatar, Dot, nameOf } from "../session/person.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { openPersonMenu } from "./open-person-menu.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { Crown, Ellipsis, MessageCircle, Shield, ShieldOff, UserMinus } from "lucide";
import { store } from "../session/store.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { openDirectWith } from "../session/direct.ts";
import { reportOutcome } from "../session/toasts.ts";

/** With fewer members, all of them are visible at once. */
const MIN_TO_FILTER = 12;
/** In px, as in the style sheet. */
const ROW_HEIGHT = 44;

type Row = Member | { group: Status; count: number };
type MemberRowsProps = { room: MyRoom; members: Member[]; onTransfer(member: Member): void };

/**
 * A room's members: online ones first, then the others, by name; a filter finds some by a few
 * letters.
 */
export function MemberRows({ room, members, onTransfer }: MemberRowsProps) {
  const [query, setQuery] = useState("");
  const locale = currentLocale();
  const sorted = useMemo(() => sortByName(members, locale), [members, locale]);
  const rows = toRows(filterMembers(sorted, query));
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
        label={t("members.title")}
        items={rows}
        rowHeight={ROW_HEIGHT}
        keyOf={(row) => ("group" in row ? row.group : row.user.id)}
        classOf={(row) => ("group" in row ? "member-group" : `member ${row.status}`)}
        render={(row) =>
          "group" in row ? (
            <h3 class="muted small strong">
              {t(row.group === "online" ? "members.online" : "members.offline")}{" "}
              <span class="muted">{getNumberFormat(locale).format(row.count)}</span>
            </h3>
          ) : (
            <MemberRow room={room} member={row} onTransfer={() => onTransfer(row)} />
          )
        }
      />
    </>
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
        onClick={() => {
          overlay.value = { name: "person", user };
        }}
        onContextMenu={(event) => openPersonMenu(event, user, roleItems(room, member, onTransfer))}
      >
        <span class="face">
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
  // One collator for all: sorting 2,000 names compares 20,000 pairs.
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

/** Those who are online under their heading, then the others under theirs. */
function toRows(members: Member[]): Row[] {
  return (["online", "offline"] as const).flatMap((group) => {
    const own = members.filter(({ status }) => status === group);
    return own.length === 0 ? [] : [{ group, count: own.length }, ...own];
  });
}

type MenuProps = { room: MyRoom; member: Member; onTransfer(): void };

/** The actions on another member. */
function MemberMenu({ room, member, onTransfer }: MenuProps) {
  const { user } = member;
  if (user.id === store.me.value?.id) return null;
  const items = [
    { label: t("direct.message"), icon: MessageCircle, onSelect: () => openDirectWith([user]) },
    ...roleItems(room, member, onTransfer),
  ];
  return (
    <Menu icon={Ellipsis} label={t("members.actions", { name: nameOf(user) })} items={items} />
  );
}

/** The actions on another member that the reader's role in the room allows. */
function roleItems(room: MyRoom, member: Member, onTransfer: () => void): MenuItem[] {
  const ownRole = room.membership?.role ?? "member";
  const { user, role } = member;
  const items: MenuItem[] = [];
  if (user.id === store.me.value?.id || ownRole === "member" || role === "owner") return items;
  const params = { id: room.id, user_id: user.id };
  const setRole = (role: "admin" | "member") =>
    store.call("PATCH /api/rooms/:id/members/:user_id", { params, body: { role } });
  const name = nameOf(user);
  if (role === "member") {
    items.push({
      label: t("members.make-admin"),
      icon: Shield,
      onSelect: () => reportOutcome(setRole("admin"), () => t("members.is-admin", { name })),
    });
  } else if (ownRole === "owner") {
    items.push({
      label: t("members.make-member"),
      icon: ShieldOff,
      onSelect: () => reportOutcome(setRole("member"), () => t("members.is-member", { name })),
    });
  }
  if (ownRole === "owner")
    items.push({ label: t("members.transfer"), icon: Crown, onSelect: onTransfer });
  if (ownRole === "owner" || role === "member") {
    items.push({
      label: t("members.remove"),
      icon: UserMinus,
      danger: true,
      onSelect: () =>
        reportOutcome(
          store.call("DELETE /api/rooms/:id/members/:user_id", { params }),
          () => t("members.is-removed", { name }),
          undoRemoval(room, member),
        ),
    });
  }
  return items;
}

function undoRemoval(room: MyRoom, { user, role }: Member) {
  // The owner is never removed.
  const body = { user_id: user.id, role: role === "owner" ? undefined : role };
  const input = { params: { id: room.id }, body };
  return () =>
    reportOutcome(store.call("POST /api/rooms/:id/members", input), () =>
      t("members.is-back", { name: nameOf(user) }),
    );
}
