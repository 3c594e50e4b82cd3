import type { Me, PushPreview } from "../../../src/wire/models.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { Select } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { updateMe } from "./update-me.ts";
import { t } from "../words/translate.ts";

/** How much notifications show on the lock screen. */
export function PreviewChoice({ me }: { me: Me }) {
  const action = useAction();
  const options: [value: PushPreview, label: string][] = [
    ["full", t("preview.full")],
    ["sender", t("preview.sender")],
    ["none", t("preview.none")],
  ];
  return (
    <div class="form">
      <Select
        label={t("preview.title")}
        hint={t("preview.hint")}
        value={me.push_preview}
        options={options}
        onValue={(push_preview) => void action.run(() => updateMe({ push_preview }))}
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </div>
  );
}
