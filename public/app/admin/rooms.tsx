import { Archive, ArchiveRestore, Crown, Ellipsis, Search, Star, StarOff } from "lucide";
import { useState } from "preact/hooks";
import type { Room, User } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { reportOutcome, showToast } from "../session/toasts.ts";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { ListRow, RoomMark } from "../parts/list-row.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { nameOf } from "../session/person.tsx";
import { NARROW, useMedia } from "../parts/use-media.ts";
import { usePages } from "../session/use-pages.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { ChoosePerson } from "../people/choose-person.tsx";
import { ListFilters } from "../parts/list-filters.tsx";
import { wasConversation } from "../state/model/former-conversation.ts";
import { t } from "../words/translate.ts";

const STATUSES = [
  ["", "admin-rooms.all"],
  ["open", "people.active"],
  ["archived", "sidebar.archived"],
] as const;

/** All rooms, including private ones, without their messages. */
export function Rooms() {
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState<"" | "open" | "archived">("");
  const pages = usePages("GET /api/admin/rooms", {
    query: { query: useDebounced(query), status: status || undefined },
  });
  return (
    <>
      <h2 class="not-on-phone">{t("admin.rooms")}</h2>
      <p class="muted small">{t("admin-rooms.text")}</p>
      <ListFilters
        label={t("search-rooms")}
        query={query}
        onQuery={setQuery}
        choice={{
          label: t("admin.show"),
          value: status,
          options: STATUSES.map(([value, key]) => [value, t(key)]),
          onValue: setStatus,
        }}
      />
      <Listing
        label={t("admin.rooms")}
        pages={pages}
        empty={<Empty icon={Search} title={t("no-rooms-match")} />}
        keyOf={(room) => room.id}
      >
        {(room) => (
          <RoomRow
            room={room}
            onChanged={(changed) => pages.replace((item) => item.id === room.id, changed)}
          />
        )}
      </Listing>
    </>
  );
}

/** The columns of members and owners on a wide page; the names have the rest. */
const WIDTHS = ["112px", "224px"];

function RoomRow({ room, onChanged }: { room: Room; onChanged(room: Room): void }) {
  const [choosing, setChoosing] = useState(false);
  const params = { id: room.id };
  const archive = async (action: "archive" | "unarchive") =>
    onChanged(await store.call(`POST /api/admin/rooms/:id/${action}`, { params }));
  const setDefault = async (is_default: boolean) =>
    onChanged(await store.call("PATCH /api/admin/rooms/:id", { params, body: { is_default } }));
  const transferTo = async (user: User) => {
    const body = { user_id: user.id };
    onChanged(await store.call("POST /api/admin/rooms/:id/transfer", { params, body }));
    showToast(t("admin-rooms.transferred", { room: room.name, name: nameOf(user) }));
  };
  const hasCells = !useMedia(NARROW);
  const signs = [
    room.is_default && t("admin-rooms.is-default"),
    room.is_archived && t("admin-rooms.is-archived"),
  ].filter(Boolean);
  const facts = [
    t("admin-rooms.members", { count: room.member_count }),
    t("admin-rooms.owner", { owner: nameOf(room.owner) }),
  ];
  return (
    <>
      <ListRow
        href={null}
        mark={<RoomMark room={room} />}
        title={room.name}
        aside={
          <>
            {hasCells &&
              facts.map((fact, i) => (
                <span
                  key={fact}
                  class="rigid muted small truncate"
                  style={{ width: WIDTHS[i] }}
                  title={fact}
                >
                  {fact}
                </span>
              ))}
            <Menu
              icon={Ellipsis}
              label={t("actions-for", { name: `#${room.name}` })}
              items={menuItemsFor(room, archive, setDefault, () => setChoosing(true))}
            />
          </>
        }
      >
        <span class="muted small truncate">
          {[...signs, ...(hasCells ? [] : facts)].join(" · ")}
        </span>
      </ListRow>
      {choosing && (
        <ChoosePerson
          title={t("admin-rooms.transfer-title", { room: room.name })}
          text={t(
            wasConversation(room) ? "admin-rooms.transfer-former" : "admin-rooms.transfer-text",
            { owner: nameOf(room.owner) },
          )}
          action={t("admin-rooms.transfer-action")}
          isDisabled={(user) => user.id === room.owner.id || user.is_bot}
          onChosen={transferTo}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

function menuItemsFor(
  room: Room,
  archive: (action: "archive" | "unarchive") => Promise<void>,
  setDefault: (isDefault: boolean) => Promise<void>,
  chooseOwner: () => void,
): MenuItem[] {
  const args = { room: room.name };
  const isInUse = () => t("admin-rooms.unarchive-done", args);
  const transfer: MenuItem = {
    label: t("members.transfer"),
    icon: Crown,
    onSelect: chooseOwner,
  };
  if (room.is_archived) {
    const undo = () => reportOutcome(archive("archive"), () => t("admin-rooms.archive-done", args));
    return [
      {
        label: t("admin-rooms.unarchive"),
        icon: ArchiveRestore,
        onSelect: () => reportOutcome(archive("unarchive"), isInUse, undo),
      },
      transfer,
    ];
  }
  const byDefault: MenuItem = room.is_default
    ? {
        label: t("admin-rooms.no-default"),
        icon: StarOff,
        onSelect: () =>
          reportOutcome(setDefault(false), () => t("admin-rooms.no-default-done", args)),
      }
    : {
        label: t("admin-rooms.default"),
        icon: Star,
        onSelect: () => reportOutcome(setDefault(true), () => t("admin-rooms.default-done", args)),
      };
  return [
    ...(wasConversation(room) ? [] : [byDefault]),
    transfer,
    {
      label: t("admin-rooms.archive"),
      icon: Archive,
      danger: true,
      onSelect: () =>
        reportOutcome(
          archive("archive"),
          () => t("admin-rooms.archive-done-text", args),
          () => reportOutcome(archive("unarchive"), isInUse),
        ),
    },
  ];
}
