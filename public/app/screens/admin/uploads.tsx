import { useEffect, useState } from "preact/hooks";
import type { UploadSettings } from "../../../../src/wire/admin.ts";
import { sizeInWords } from "../../../../src/wire/sizes.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";

const MEBIBYTE = 1024 ** 2;
const PATH = "/api/admin/settings/uploads";

/** How large an image, a file or a picture of oneself may be. */
export function Uploads() {
  const [megabytes, setMegabytes] = useState("");
  const [now, setNow] = useState<number | null>(null);
  const action = useAction(["max_bytes"]);
  const keep = ({ max_bytes }: UploadSettings) => {
    setNow(max_bytes);
    setMegabytes(String(Math.round((max_bytes / MEBIBYTE) * 1000) / 1000));
  };
  useEffect(() => void action.run(async () => keep(await store.api.get(PATH))), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const max_bytes = Math.round(Number(megabytes) * MEBIBYTE);
      keep(await store.api.put<UploadSettings>(PATH, { max_bytes }));
      toast(`Uploads hold up to ${sizeInWords(max_bytes)} from now on.`);
    });
  };
  return (
    <>
      <h2>Uploads</h2>
      <form class="form" onSubmit={submit}>
        <Field
          label="The most that an upload may hold, in MB"
          hint={`From 0.001 to 1024. ${now === null ? "" : `It is ${sizeInWords(now)} now.`} It holds for images, files and profile pictures, from the next upload on.`}
          type="number"
          min={0.001}
          max={1024}
          step="any"
          value={megabytes}
          onValue={setMegabytes}
          error={action.field("max_bytes")}
          required
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy}>
            Save
          </Button>
        </div>
      </form>
    </>
  );
}
