import { describeMute } from "./row-signs.tsx";
import { PAUSES } from "./pause-notifications.ts";
import type { Notifications } from "./muting.ts";
import type { Conversation } from "../state/model/conversation.ts";
import { t } from "../words/translate.ts";

type SelectProps = {
  room: Conversation;
  id?: string;
  label?: string;
  isDisabled?: boolean;
  onChange(change: Notifications): void;
};

/** Which messages of a room or conversation notify, and until when it is muted, as one choice. */
export function NotifySelect({ room, id, label, isDisabled, onChange }: SelectProps) {
  const { notify = "all", muted_until = null } = room.membership ?? {};
  // Every message of a conversation counts as a mention.
  const levels = room.kind === "room" ? (["all", "mentions"] as const) : (["all"] as const);
  const changes = new Map<string, Notifications>([
    ...levels.map((level) => [level, { notify: level }] as const),
    ...PAUSES.map(([key, end]) => [key, { muted_until: end().toISOString() }] as const),
    ["none", { notify: "none" }],
  ]);
  const level = notify === "mentions" && room.kind === "direct" ? "all" : notify;
  return (
    <select
      class="input"
      id={id}
      aria-label={label}
      disabled={isDisabled}
      value={muted_until ?? level}
      onChange={({ currentTarget }) => {
        const change = changes.get(currentTarget.value);
        if (change) onChange(change);
      }}
    >
      {levels.map((level) => (
        <option key={level} value={level}>
          {t(`notify.${level}`)}
        </option>
      ))}
      <optgroup label={t("notify.none")}>
        {muted_until && <option value={muted_until}>{describeMute(muted_until)}</option>}
        {PAUSES.map(([key]) => (
          <option key={key} value={key}>
            {t(`until.${key}`)}
          </option>
        ))}
        <option value="none">{t("until.unmuted")}</option>
      </optgroup>
    </select>
  );
}
