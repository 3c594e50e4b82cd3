const POLL_MS = 400;

/** For `bun dev`: reloads the page when the service serves a new client. */
export function reloadOnChange(): void {
  let firstEtag: string | null = null;
  setInterval(async () => {
    const answer = await fetch("/", { method: "HEAD" }).catch(() => null);
    const etag = answer?.ok ? answer.headers.get("etag") : null;
    if (etag === null) return;
    if (firstEtag !== null && etag !== firstEtag) location.reload();
    firstEtag = etag;
  }, POLL_MS);
}
