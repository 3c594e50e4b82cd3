import { useEffect, useState } from "preact/hooks";
import type { UploadSettings } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { sizeOf } from "../parts/sizes.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

const MEBIBYTE = 1024 ** 2;
const MIN_MB = 0.001;
const MAX_MB = 1024;

/** @param now the current limit in bytes; null while it is loading */
function hintFor(now: number | null): string {
  const format = (megabytes: number) =>
    getNumberFormat(currentLocale(), { useGrouping: false }).format(megabytes);
  const range = t("uploads.range", { min: format(MIN_MB), max: format(MAX_MB) });
  const current = now === null ? [] : [t("uploads.now", { size: sizeOf(now) })];
  return [range, ...current, t("uploads.applies-to")].join(" ");
}

/** The limit on the size of uploads: images, files and profile pictures. */
export function Uploads() {
  const [megabytes, setMegabytes] = useState("");
  const [now, setNow] = useState<number | null>(null);
  const action = useAction(["max_bytes"]);
  const show = ({ max_bytes }: UploadSettings) => {
    setNow(max_bytes);
    setMegabytes(String(Math.round((max_bytes / MEBIBYTE) * 1000) / 1000));
  };
  const load = async () => show(await store.call("GET /api/admin/settings/uploads"));
  useEffect(() => void action.run(load), []);
  const submit = async () => {
    const max_bytes = Math.round(Number(megabytes) * MEBIBYTE);
    show(await store.call("PUT /api/admin/settings/uploads", { body: { max_bytes } }));
    showToast(t("uploads.saved", { size: sizeOf(max_bytes) }));
  };
  return (
    <>
      <h2>{t("admin.uploads")}</h2>
      <Form action={action} submit={t("save")} onSubmit={submit}>
        <Field
          label={t("uploads.limit")}
          hint={hintFor(now)}
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
    </>
  );
}
