import { Archive, ArchiveRestore, Crown, Ellipsis, Hash, Lock, Star, StarOff } from "lucide";
import { useState } from "preact/hooks";
import type { AdminRoom } from "../../../../src/wire/admin.ts";
import type { User } from "../../../../src/wire/models.ts";
import { store, toast } from "../../app.ts";
import { Field, Select } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { nameOf } from "../../parts/person.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useSettled } from "../../parts/use-settled.ts";
import { ChoosePerson } from "../choose-person.tsx";
import { say } from "./say.ts";

const STATUSES: [string, string][] = [
  ["", "All rooms"],
  ["open", "In use"],
  ["archived", "Archived"],
];

/** All rooms, private ones included: not what is said in them. */
export function Rooms() {
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState("");
  const pages = usePages<AdminRoom>("/api/admin/rooms", { query: useSettled(query), status });
  return (
    <>
      <h2>Rooms</h2>
      <p class="muted small">Private rooms are listed too. What is said in them is not.</p>
      <div class="filters">
        <Field
          label="Search by name"
          type="search"
          value={query}
          onValue={setQuery}
          autocomplete="off"
        />
        <Select label="Show" value={status} options={STATUSES} onValue={setStatus} />
      </div>
      <Listing label="Rooms" pages={pages} empty="No room of this name." keyOf={(room) => room.id}>
        {(room) => (
          <RoomRow
            room={room}
            onChanged={(changed) => pages.replace((one) => one.id === room.id, changed)}
          />
        )}
      </Listing>
    </>
  );
}

function RoomRow({ room, onChanged }: { room: AdminRoom; onChanged(room: AdminRoom): void }) {
  const [choosing, setChoosing] = useState(false);
  const path = `/api/admin/rooms/${room.id}`;
  const archive = async (verb: "archive" | "unarchive") =>
    onChanged(await store.api.post<AdminRoom>(`${path}/${verb}`));
  const setDefault = async (is_default: boolean) =>
    onChanged(await store.api.patch<AdminRoom>(path, { is_default }));
  const giveTo = async (user: User) => {
    onChanged(await store.api.post<AdminRoom>(`${path}/transfer`, { user_id: user.id }));
    toast(`#${room.name} belongs to ${nameOf(user)} now.`);
  };
  return (
    <>
      <Icon of={room.privacy === "private" ? Lock : Hash} />
      <div class="grow">
        <p class="truncate">
          <b>{room.name}</b>
        </p>
        <p class="muted small truncate">
          {room.member_count} {room.member_count === 1 ? "member" : "members"} · owned by{" "}
          {nameOf(room.owner)}
        </p>
      </div>
      {room.is_default && <span class="tag">for everyone</span>}
      {room.is_archived && <span class="tag">archived</span>}
      <Menu
        icon={Ellipsis}
        label={`Actions for #${room.name}`}
        items={itemsFor(room, archive, setDefault, () => setChoosing(true))}
      />
      {choosing && (
        <ChoosePerson
          title={`Give #${room.name} to`}
          text={`${nameOf(room.owner)} becomes an admin of the room. Whoever was not in it is then.`}
          action="Make owner"
          isOut={(user) => user.id === room.owner.id || user.is_bot}
          onChosen={giveTo}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

function itemsFor(
  room: AdminRoom,
  archive: (verb: "archive" | "unarchive") => Promise<void>,
  setDefault: (isDefault: boolean) => Promise<void>,
  choose: () => void,
): MenuItem[] {
  const name = `#${room.name}`;
  const transfer: MenuItem = { label: "Give to someone", icon: Crown, onSelect: choose };
  if (room.is_archived) {
    const undo = () => say(archive("archive"), `${name} is archived.`);
    return [
      {
        label: "Bring back",
        icon: ArchiveRestore,
        onSelect: () => say(archive("unarchive"), `${name} is in use again.`, undo),
      },
      transfer,
    ];
  }
  return [
    room.is_default
      ? {
          label: "Not for everyone",
          icon: StarOff,
          onSelect: () => say(setDefault(false), `New people are not put into ${name} any more.`),
        }
      : {
          label: "For everyone who signs up",
          icon: Star,
          onSelect: () => say(setDefault(true), `Whoever signs up is in ${name} from the start.`),
        },
    transfer,
    {
      label: "Archive",
      icon: Archive,
      danger: true,
      onSelect: () =>
        say(archive("archive"), `${name} is archived: it can only be read.`, () =>
          say(archive("unarchive"), `${name} is in use again.`),
        ),
    },
  ];
}
