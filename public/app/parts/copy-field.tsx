import { Check, Copy } from "lucide";
import { useId, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { t } from "../words/translate.ts";

/** A read-only value with a button that copies it. */
export function CopyField({
  label,
  value,
  multiline,
}: {
  label: string;
  value: string;
  multiline?: boolean;
}) {
  const id = useId();
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      // Without permission, the value can still be selected.
      () => document.getElementById(id)?.focus(),
    );
  const shared = { id, class: "input mono", value, readOnly: true };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-field">
        {multiline ? (
          <textarea {...shared} rows={value.split("\n").length} wrap="off" />
        ) : (
          <input {...shared} onFocus={(event) => event.currentTarget.select()} />
        )}
        <Button onClick={() => void copy()}>
          <Icon of={copied ? Check : Copy} />
          {copied ? t("copied") : t("copy")}
        </Button>
      </div>
    </div>
  );
}
