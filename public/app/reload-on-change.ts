const POLL_MS = 400;

/** For `bun dev`: reloads the page when the service serves a new client. */
export function reloadOnChange(): void {
  let known: string | null = null;
  setInterval(async () => {
    const answer = await fetch("/", { method: "HEAD" }).catch(() => null);
    const etag = answer?.ok ? answer.headers.get("etag") : null;
    if (etag === null) return;
    if (known !== null && etag !== known) location.reload();
    known = etag;
  }, POLL_MS);
}
