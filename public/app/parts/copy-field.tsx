import { Check, Copy } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { writeClipboard } from "./clipboard.ts";
import { Icon } from "./icon.tsx";
import { t } from "../words/translate.ts";

type CopyFieldProps = {
  label: string;
  /** Below the label. */
  hint?: ComponentChildren;
  value: string;
  multiline?: boolean;
  /** The height in lines. A long value wraps, so that all of it can be read. */
  rows?: number;
  /** Whether copying is the main action. */
  isPrimary?: boolean;
  /** Whether the button gets the focus when the dialog around it opens. */
  autofocus?: boolean;
  /** Another button after the one that copies. */
  button?: ComponentChildren;
  /** Called when the value was copied, by the button or by the browser. */
  onCopied?(): void;
};

export function CopyField(props: CopyFieldProps) {
  const { label, hint, value, multiline, rows, isPrimary, autofocus, button, onCopied } = props;
  const id = useId();
  const [copied, setCopied] = useState(false);
  const noteCopied = () => {
    setCopied(true);
    onCopied?.();
  };
  const select = () => {
    const field = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement;
    field.focus();
    field.select();
  };
  const copy = async () => {
    if (await writeClipboard(value, select)) noteCopied();
  };
  const shared = { id, class: "input mono", value, readOnly: true, onCopy: noteCopied };
  return (
    <div class="field">
      <label class="small strong" for={id}>
        {label}
      </label>
      {hint}
      <div class="copy-field">
        {multiline || rows ? (
          <textarea
            {...shared}
            rows={rows ?? value.split("\n").length}
            wrap={rows ? "soft" : "off"}
          />
        ) : (
          <input {...shared} onFocus={(event) => event.currentTarget.select()} />
        )}
        <span class="row">
          <Button
            kind={isPrimary ? "primary" : "quiet"}
            autofocus={autofocus}
            onClick={() => void copy()}
          >
            <Icon of={copied ? Check : Copy} />
            {copied ? t("copied") : t("copy-value")}
          </Button>
          {button}
        </span>
      </div>
    </div>
  );
}
