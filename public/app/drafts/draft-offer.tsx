import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { dayKey, timeOf, formatWhen } from "../parts/times.ts";
import { showToast } from "../session/toasts.ts";
import { deviceDrafts, draftSync } from "../session/write-draft.ts";
import type { DraftChoice } from "../state/drafts/draft-merge.ts";
import { type DraftMark, isEmptyBody } from "../state/model/draft-copy.ts";
import { t } from "../words/translate.ts";
import { describeDraft } from "./upload-preview.tsx";
import { nameDevice } from "../session/start-personal-sync.ts";

type OfferProps = { draft: DraftMark; area: HTMLElement | null };

/** Another device's draft, above the local draft: both stay until the person decides. */
export function DraftOffer({ draft, area }: OfferProps) {
  const [isOpen, setOpen] = useState(false);
  const { key, offer, isEmpty } = draft;
  if (!offer) return null;
  const choose = (choice: DraftChoice) => {
    const drafts = draftSync.value;
    const body = deviceDrafts.value.read(key).here;
    drafts?.choose(key, choice, offer.version);
    area?.focus();
    if (choice === "add") return;
    const words = t(choice === "use" ? "drafts.is-used" : "drafts.is-discarded");
    // Undo appends the other draft.
    const discarded = choice === "use" ? body : offer;
    if (!isEmptyBody(discarded)) showToast(words, () => drafts?.append(key, discarded));
  };
  const at = dayKey(offer.at) === dayKey(new Date().toISOString()) ? timeOf : formatWhen;
  return (
    <section class="draft-offer grid framed" aria-label={t("drafts.another")}>
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
        {!isEmpty && <Button onClick={() => choose("add")}>{t("drafts.add")}</Button>}
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
