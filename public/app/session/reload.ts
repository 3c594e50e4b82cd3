/** Reloads only if the service answers: a page with a missing part is better than none. */
export async function reloadIfOnline(): Promise<void> {
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
