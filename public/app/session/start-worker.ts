import { effect } from "@preact/signals";
import type { PageMessage, WorkerMessage } from "../../../src/wire/push.ts";
import { renewPush } from "../connection/push-subscription.ts";
import { navigateTo } from "./navigation.ts";
import { applyUpdate } from "./service-worker.ts";
import { store } from "./store.ts";

const LOOK_MS = 3_600_000;

/** Starts the service worker once the page is loaded, and renews the push subscription. */
export function watchServiceWorker(): void {
  const start = async () => {
    await startWorker();
    effect(() => {
      // The push subscription belongs to a session, so it moves to the session of the person who
      // signs in.
      if (store.phase.value === "signed-in") void renewPush(store.api).catch(() => {});
    });
  };
  // Without a service worker, only notifications and the offline start are missing.
  const tryStart = () => void start().catch(() => {});
  if (document.readyState === "complete") tryStart();
  else addEventListener("load", tryStart, { once: true });
}

async function startWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  serviceWorker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === "open") navigateTo(data.path);
  });
  const registration = await serviceWorker.register("/sw.js");
  const offer = () => {
    const { waiting } = registration;
    // The first worker does not replace another.
    if (!waiting || !serviceWorker.controller) return;
    applyUpdate.value = () => {
      serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage({ type: "use-new-version" } satisfies PageMessage);
    };
  };
  offer();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offer);
  });
  setInterval(() => void registration.update().catch(() => {}), LOOK_MS);
}
