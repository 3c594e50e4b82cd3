import type { PageMessage, WorkerMessage } from "../../../src/wire/push.ts";

const LOOK_MS = 3_600_000;

/**
 * Starts the service worker.
 * @param onOpen called with the address of a notification that was clicked
 * @param onUpdate called when a new version is waiting, with a function that activates it and reloads
 */
export async function startWorker(
  onOpen: (path: string) => void,
  onUpdate: (use: () => void) => void,
): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  serviceWorker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === "open") onOpen(data.path);
  });
  const registration = await serviceWorker.register("/sw.js");
  const offer = () => {
    const { waiting } = registration;
    // The first worker does not replace another.
    if (!waiting || !serviceWorker.controller) return;
    onUpdate(() => {
      serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage({ type: "use-new-version" } satisfies PageMessage);
    });
  };
  offer();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offer);
  });
  setInterval(() => void registration.update().catch(() => {}), LOOK_MS);
}
