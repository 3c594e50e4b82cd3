/** Reloads only if the service responds: a page with a missing part is better than no page. */
export async function reloadIfOnline(): Promise<void> {
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
