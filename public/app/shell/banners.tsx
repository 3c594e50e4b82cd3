import { useEffect, useState } from "preact/hooks";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { isRestMissing, quietRest, requestRest } from "../parts/load-rest.tsx";
import { applyUpdate } from "../session/service-worker.ts";
import { t } from "../words/translate.ts";

const FactorReminder = quietRest("FactorReminder");

/** Banners about the whole page, above all panes, which they do not cover. */
export function Banners() {
  return (
    <div class="banners">
      <ConnectionBanner />
      <UpdateBanner />
      <FactorReminder />
      <MissingCode />
    </div>
  );
}

/** Offers to reload with a new version. */
function UpdateBanner() {
  const use = applyUpdate.value;
  if (!use) return null;
  return (
    <div class="banner center row small" role="status">
      <span>{t("shell.update")}</span>
      <Button onClick={use}>{t("shell.update-now")}</Button>
    </div>
  );
}

const DELAY_MS = 2_000;

/** Shown after two seconds without a connection, so that nothing moves for a short interruption. */
function ConnectionBanner() {
  const isOpen = store.status.value === "open";
  const [isVisible, setIsVisible] = useState(false);
  const hasNetwork = useNetwork();
  useEffect(() => {
    setIsVisible(false);
    if (isOpen) return;
    const timer = setTimeout(() => setIsVisible(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  if (!isVisible || isOpen) return null;
  return (
    <div class="banner cut center row small" role="status">
      <span>{t(hasNetwork ? "shell.reconnecting" : "shell.no-network")}</span>
      {hasNetwork && <Button onClick={() => store.reconnectNow()}>{t("shell.try-now")}</Button>}
    </div>
  );
}

/** Whether the device has a network, as far as the browser knows. */
function useNetwork(): boolean {
  const [has, setHas] = useState(navigator.onLine);
  useEffect(() => {
    const follow = () => setHas(navigator.onLine);
    for (const change of ["online", "offline"]) addEventListener(change, follow);
    return () => {
      for (const change of ["online", "offline"]) removeEventListener(change, follow);
    };
  }, []);
  return has;
}

/** Reports that part of the page failed to load. It is retried with each new connection. */
function MissingCode() {
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
    setBusy(false);
  };
  return (
    <div class="banner center row small" role="status">
      <span>{t("part.missing")}</span>
      <Button busy={isBusy} onClick={retry}>
        {t("try-again")}
      </Button>
    </div>
  );
}
