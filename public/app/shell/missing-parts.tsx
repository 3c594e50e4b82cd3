import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { isRestMissing, requestRest } from "../parts/load-rest.tsx";
import { reloadIfOnline } from "../session/reload.ts";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

/** Says that a part of the page did not load, which is retried with each new connection. */
export function MissingParts() {
  const isMissing = isRestMissing.value;
  const isOpen = store.status.value === "open";
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (isMissing && isOpen) void requestRest();
  }, [isMissing, isOpen]);
  if (!isMissing) return null;
  const retry = async () => {
    setBusy(true);
    await requestRest();
    // A new version may have replaced the file.
    if (isRestMissing.value) await reloadIfOnline();
    setBusy(false);
  };
  return (
    <div class="banner row small cut" role="status">
      <span>{t("part.missing")}</span>
      <Button busy={isBusy} onClick={retry}>
        {t("try-again")}
      </Button>
    </div>
  );
}
