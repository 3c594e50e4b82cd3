import { Switch } from "../../parts/field.tsx";
import { areRepliesFull, setRepliesFull } from "../../session/replies.ts";
import { t } from "../../words/translate.ts";

/** Whether rooms show replies in full, on this device. */
export function RepliesChoice() {
  return (
    <Switch
      label={t("threads.in-full")}
      hint={t("threads.in-full-hint")}
      checked={areRepliesFull.value}
      onChecked={setRepliesFull}
    />
  );
}
