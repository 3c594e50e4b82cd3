import { Pin } from "lucide";
import type { Message } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { nameOf } from "../parts/person.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { t } from "../words/translate.ts";

/** What the reader and others have marked a message with. */
export function MessageMarks({ message: { pinned } }: { message: Message }) {
  if (!pinned) return null;
  return (
    <p class="marks">
      <span title={fullTimeOf(pinned.at)}>
        <Icon of={Pin} />
        {t("pin.who", { name: nameOf(pinned.by) })}
      </span>
    </p>
  );
}
