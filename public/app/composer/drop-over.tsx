import { Paperclip } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { t } from "../words/translate.ts";

/** Covers a room or a thread while files are dragged over it. */
export function DropOver({ label }: { label: string }) {
  return (
    <div class="drop-over grid absolute" aria-hidden="true">
      <p class="row gap-12 strong framed">
        <Icon of={Paperclip} />
        {t("files.drop", { room: label })}
      </p>
    </div>
  );
}
