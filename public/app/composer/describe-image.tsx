import { useState } from "preact/hooks";
import { MAX_ALT_LENGTH } from "../../../src/wire/limits.ts";
import { uploadChanges } from "../session/upload-changes.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { t } from "../words/translate.ts";

type DescribeProps = { id: string; name: string; alt: string; onClose(): void };

/** Asks what an image shows, for those who cannot see it. */
export function DescribeImage({ id, name, alt, onClose }: DescribeProps) {
  const [text, setText] = useState(alt);
  return (
    <Dialog title={name} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog is inside of the composer's form, which would send.
          event.stopPropagation();
          void uploadChanges.describe(id, text);
          onClose();
        }}
      >
        <Field
          label={t("files.alt")}
          hint={t("files.alt-hint")}
          value={text}
          onValue={setText}
          maxLength={MAX_ALT_LENGTH}
          autocomplete="off"
          autofocus
        />
        <div class="actions">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button kind="primary" type="submit">
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
