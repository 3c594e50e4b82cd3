import { MAX_ROOM_DESCRIPTION_LENGTH } from "../../../src/wire/limits.ts";
import type { Privacy } from "../../../src/wire/models.ts";
import { Field, Select } from "../parts/field.tsx";
import type { Action } from "../parts/use-action.ts";
import { toRoomName } from "../state/conversations/room-name.ts";
import { t } from "../words/translate.ts";

/** What the fields of a room hold. */
export type RoomDetails = { name: string; description: string; privacy: Privacy };

export const NEW_ROOM: RoomDetails = { name: "", description: "", privacy: "open" };

/** The name and the topic as the service takes them. */
export function toBody({ name, description }: RoomDetails) {
  return { name, description: description.trim() || null };
}

type FieldsProps = {
  details: RoomDetails;
  onDetails(details: RoomDetails): void;
  action: Pick<Action, "field">;
  /** Whether the room is created with them. */
  isNew?: boolean;
  /** Whether it is decided already who can join. */
  isPrivacyFixed?: boolean;
};

/** The name of a room, its topic, and who can join it. */
export function RoomFields({ details, onDetails, action, isNew, isPrivacyFixed }: FieldsProps) {
  return (
    <>
      <Field
        label={t("label.name")}
        hint={isNew ? t("create.name-hint") : undefined}
        value={details.name}
        onValue={(text) => onDetails({ ...details, name: toRoomName(text) })}
        error={action.field("name")}
        autocomplete="off"
        required
        autofocus={isNew}
      />
      <Field
        label={t("create.topic")}
        hint={isNew ? t("create.topic-hint") : undefined}
        value={details.description}
        onValue={(description) => onDetails({ ...details, description })}
        error={action.field("description")}
        maxLength={MAX_ROOM_DESCRIPTION_LENGTH}
        autocomplete="off"
        multiline={!isNew}
      />
      {!isPrivacyFixed && (
        <Select
          label={t("create.who")}
          value={details.privacy}
          options={[
            ["open", t("create.open")],
            ["private", t("create.private")],
          ]}
          onValue={(privacy) => onDetails({ ...details, privacy })}
        />
      )}
    </>
  );
}
