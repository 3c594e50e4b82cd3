import { useState } from "preact/hooks";
import type { UploadSettings } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { useAction } from "../parts/use-action.ts";
import { sizeOf } from "../parts/sizes.ts";
import { t } from "../words/translate.ts";

const MEBIBYTE = 1024 ** 2;
const MIN_MB = 0.001;
const MAX_MB = 1024;

/** The limit on the size of uploads: images, files and profile pictures. */
export function Uploads() {
  return (
    <>
      <h2 class="not-on-phone">{t("admin.uploads")}</h2>
      <Loaded load={() => store.call("GET /api/admin/settings/uploads")} height={144}>
        {(settings, show) => <LimitForm settings={settings} onSaved={show} />}
      </Loaded>
    </>
  );
}

type FormProps = { settings: UploadSettings; onSaved(settings: UploadSettings): void };

function LimitForm({ settings, onSaved }: FormProps) {
  const [megabytes, setMegabytes] = useState(toMegabytes(settings));
  const action = useAction(["max_bytes"]);
  const submit = async () => {
    const max_bytes = Math.round(Number(megabytes) * MEBIBYTE);
    const saved = await store.call("PUT /api/admin/settings/uploads", { body: { max_bytes } });
    setMegabytes(toMegabytes(saved));
    onSaved(saved);
    showToast(t("uploads.saved", { size: sizeOf(max_bytes) }));
  };
  return (
    <Form
      action={action}
      submit={t("save")}
      disabled={megabytes === toMegabytes(settings)}
      onSubmit={submit}
    >
      <Field
        label={t("uploads.limit")}
        hint={t("uploads.hint", { max: MAX_MB })}
        type="number"
        min={MIN_MB}
        max={MAX_MB}
        step="any"
        value={megabytes}
        onValue={setMegabytes}
        error={action.field("max_bytes")}
        required
      />
    </Form>
  );
}

const toMegabytes = ({ max_bytes }: UploadSettings) =>
  String(Math.round((max_bytes / MEBIBYTE) * 1000) / 1000);
