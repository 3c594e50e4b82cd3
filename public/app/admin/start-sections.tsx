import { ArrowDown, ArrowUp, Rows3, Trash2, X } from "lucide";
import { useState } from "preact/hooks";
import { MAX_SECTION_NAME_LENGTH, MAX_SECTIONS } from "../../../src/wire/limits.ts";
import type { Room } from "../../../src/wire/models.ts";
import type { Section, Sections } from "../../../src/wire/sections.ts";
import { ApiError, getAll } from "../connection/api.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { useAction } from "../parts/use-action.ts";
import {
  addSection,
  moveSection,
  placeInSection,
  removeSection,
  renameSection,
  type SectionChange,
} from "../state/sidebar/section-changes.ts";
import { t } from "../words/translate.ts";

/** The sections of the sidebar with which new accounts start. */
export function StartSections() {
  const load = () =>
    Promise.all([
      store.call("GET /api/admin/settings/sections"),
      getAll(store.api, "GET /api/admin/rooms"),
    ]);
  return (
    <>
      <h2 class="not-on-phone">{t("admin.sections")}</h2>
      <p class="muted small">{t("start-sections.text")}</p>
      <Loaded load={load} height={144}>
        {([saved, rooms]) => <SectionsForm saved={saved} rooms={rooms} />}
      </Loaded>
    </>
  );
}

function SectionsForm({ saved, rooms }: { saved: Sections; rooms: Room[] }) {
  const [stored, setStored] = useState(saved);
  const [list, setList] = useState(saved);
  const show = (current: Sections) => {
    setStored(current);
    setList(current);
  };
  const action = useAction();
  const save = async () => {
    const body = { base_version: list.version, sections: list.sections };
    try {
      show(await store.call("PUT /api/admin/settings/sections", { body }));
    } catch (error) {
      // Another administrator has changed the sections: show those, with the error.
      if (error instanceof ApiError && error.current) show(error.current);
      throw error;
    }
    showToast(t("start-sections.saved"));
  };
  const change = (apply: SectionChange) =>
    setList((before) => ({ ...before, sections: apply(before.sections) }));
  const add = () =>
    change(addSection({ id: crypto.randomUUID(), name: "", is_collapsed: false, room_ids: [] }));
  const { sections } = list;
  const listed = new Set(sections.flatMap(({ room_ids }) => room_ids));
  const addButton = <Button onClick={add}>{t("start-sections.add")}</Button>;
  // If the last section was removed here, the form stays, so that this can be saved.
  if (sections.length === 0 && stored.sections.length === 0)
    return (
      <Empty icon={Rows3} title={t("start-sections.none")}>
        {addButton}
      </Empty>
    );
  return (
    <Form
      class="start-sections"
      action={action}
      submit={t("save")}
      disabled={sections === stored.sections}
      onSubmit={save}
    >
      {sections.length === 0 && <p class="muted">{t("start-sections.none")}</p>}
      {sections.map((section, index) => (
        <SectionFields
          key={section.id}
          section={section}
          above={sections[index - 1]}
          below={sections[index + 1]}
          afterBelow={sections[index + 2]}
          rooms={rooms}
          free={rooms.filter(({ id }) => !listed.has(id))}
          onChange={change}
        />
      ))}
      {sections.length < MAX_SECTIONS && <div class="buttons">{addButton}</div>}
    </Form>
  );
}

type SectionFieldsProps = {
  section: Section;
  above: Section | undefined;
  below: Section | undefined;
  afterBelow: Section | undefined;
  rooms: Room[];
  /** Rooms that are in no section. */
  free: Room[];
  onChange(change: SectionChange): void;
};

function SectionFields(props: SectionFieldsProps) {
  const { section, above, below, afterBelow, rooms, free, onChange } = props;
  const { id, name, room_ids } = section;
  const own = room_ids.flatMap((roomId) => rooms.find((room) => room.id === roomId) ?? []);
  return (
    <fieldset class="start-section border-bottom stack gap-12" aria-label={name}>
      <Field
        label={t("label.name")}
        value={name}
        onValue={(value) => onChange(renameSection(id, value))}
        maxLength={MAX_SECTION_NAME_LENGTH}
        autocomplete="off"
        required
      />
      <ul class="list">
        {own.map((room) => (
          <li key={room.id}>
            <RoomIcon room={{ privacy: room.privacy }} />
            <span class="grow truncate">{room.name}</span>
            <IconButton
              icon={X}
              label={t("start-sections.remove-room", { room: room.name })}
              onClick={() => onChange(placeInSection(room.id, null))}
            />
          </li>
        ))}
      </ul>
      <Select<string>
        label={t("start-sections.add-room")}
        value=""
        options={[["", t("start-sections.choose")], ...free.map(toOption)]}
        onValue={(roomId) => roomId && onChange(placeInSection(roomId, id))}
      />
      <div class="buttons">
        {above && (
          <IconButton
            icon={ArrowUp}
            label={t("start-sections.up", { name })}
            onClick={() => onChange(moveSection(id, above.id))}
          />
        )}
        {below && (
          <IconButton
            icon={ArrowDown}
            label={t("start-sections.down", { name })}
            onClick={() => onChange(moveSection(id, afterBelow?.id ?? null))}
          />
        )}
        <IconButton
          icon={Trash2}
          label={t("start-sections.delete", { name })}
          onClick={() => onChange(removeSection(id))}
        />
      </div>
    </fieldset>
  );
}

const toOption = ({ id, name }: Room): [string, string] => [id, `#${name}`];
