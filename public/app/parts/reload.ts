import { store } from "../app.ts";

/** Loads the page as if for the first time: what was kept for a quick start may be what is wrong. */
export async function loadAnew(): Promise<void> {
  await store.forget().catch(() => {});
  location.reload();
}

/** Loads the page again where there is one to be had: a part that is missing is better than none. */
export async function reloadIfThere(): Promise<void> {
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
