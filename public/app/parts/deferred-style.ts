import activity from "../../style/deferred/activity.css" with { type: "file" };
import controls from "../../style/deferred/controls.css" with { type: "file" };
import direct from "../../style/deferred/direct.css" with { type: "file" };
import keeping from "../../style/deferred/keeping.css" with { type: "file" };
import overlays from "../../style/deferred/overlays.css" with { type: "file" };
import print from "../../style/deferred/print.css" with { type: "file" };
import room from "../../style/deferred/room.css" with { type: "file" };
import search from "../../style/deferred/search.css" with { type: "file" };
import settings from "../../style/deferred/settings.css" with { type: "file" };
import threads from "../../style/deferred/threads.css" with { type: "file" };
import webhooks from "../../style/deferred/webhooks.css" with { type: "file" };
import writing from "../../style/deferred/writing.css" with { type: "file" };

let loading: Promise<unknown> | null = null;

/**
 * Loads the styles of everything that is not part of the first load, once. A failed attempt is
 * repeated by the next call.
 */
export function loadDeferredStyle(): Promise<unknown> {
  // The print styles come last, since they override the others; shared styles come first.
  loading ??= Promise.all(
    [
      controls,
      writing,
      activity,
      direct,
      keeping,
      overlays,
      room,
      search,
      settings,
      threads,
      webhooks,
      print,
    ].map(loadStyle),
  ).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function loadStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`The style sheet ${href} did not load.`));
    };
    document.head.append(link);
  });
}
