import { MAX_ROOM_DESCRIPTION_LENGTH } from "../../../src/wire/limits.ts";
import { Field } from "../parts/field.tsx";
import type { Action } from "../parts/use-action.ts";
import { toRoomName } from "../state/room-name.ts";
import { t } from "../words/translate.ts";

export type Fields = { name: string; description: string };

export const NO_FIELDS: Fields = { name: "", description: "" };

/** The fields as the service takes them. */
export function toBody({ name, description }: Fields) {
  return { name, description: description.trim() || null };
}

/** The fields of a room that is created: its name, and its topic. */
export function RoomFields({
  fields,
  onFields,
  action,
}: {
  fields: Fields;
  onFields(fields: Fields): void;
  action: Pick<Action, "field">;
}) {
  return (
    <>
      <Field
        label={t("label.name")}
        hint={t("create.name-hint")}
        value={fields.name}
        onValue={(text) => onFields({ ...fields, name: toRoomName(text) })}
        error={action.field("name")}
        autocomplete="off"
        required
        autofocus
      />
      <Field
        label={t("create.topic")}
        hint={t("create.topic-hint")}
        value={fields.description}
        onValue={(description) => onFields({ ...fields, description })}
        error={action.field("description")}
        maxLength={MAX_ROOM_DESCRIPTION_LENGTH}
        autocomplete="off"
      />
    </>
  );
}
