import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { dayKey, timeOf, whenOf } from "../parts/times.ts";
import { keeping } from "../session/kept-lists.ts";
import { nameDevice } from "../session/device.ts";
import { showToast } from "../session/toasts.ts";
import { type DraftChoice, isEmptyBody } from "../state/drafts/draft-merge.ts";
import type { DraftEntry } from "../state/drafts/draft-copies.ts";
import { t } from "../words/translate.ts";
import { describeDraft } from "./describe-draft.ts";

/** Another device's draft, above the one that is written here: both stay until the person decides. */
export function DraftOffer({ entry, area }: { entry: DraftEntry; area: HTMLElement | null }) {
  const [isOpen, setOpen] = useState(false);
  const { key, offer, body } = entry;
  if (!offer) return null;
  const choose = (choice: DraftChoice) => {
    const drafts = keeping.value?.drafts;
    drafts?.choose(key, choice, offer.version);
    area?.focus();
    if (choice === "add") return;
    const words = t(choice === "use" ? "drafts.is-used" : "drafts.is-discarded");
    // Undo adds the other draft below.
    const discarded = choice === "use" ? body : offer;
    if (!isEmptyBody(discarded)) showToast(words, () => drafts?.append(key, discarded));
  };
  const at = dayKey(offer.at) === dayKey(new Date().toISOString()) ? timeOf : whenOf;
  return (
    <section class="draft-offer" aria-label={t("drafts.another")}>
      <p class="small" role="status">
        {t("drafts.offer", { device: describeDevice(offer.device), time: at(offer.at) })}
      </p>
      <button
        type="button"
        class={`entry-text ${isOpen ? "open" : ""}`}
        dir="auto"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {describeDraft(offer)}
      </button>
      <div class="actions">
        <Button onClick={() => choose("use")}>{t("drafts.use")}</Button>
        {!isEmptyBody(body) && <Button onClick={() => choose("add")}>{t("drafts.add")}</Button>}
        <Button onClick={() => choose("discard")}>{t("message.discard")}</Button>
      </div>
    </section>
  );
}

/** "your phone"; a second device of the same kind is "another phone". */
function describeDevice(device: string | null): string {
  if (device !== "phone" && device !== "tablet" && device !== "computer") {
    return device ?? t("drafts.a-device");
  }
  const isSame = device === nameDevice() ? "same" : "other";
  return t("drafts.device", { device, same: isSame });
}
