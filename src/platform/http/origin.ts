/**
 * Whether a request comes from a page of another site. Browsers report this (Fetch Metadata,
 * `Sec-Fetch-Site`; RFC 6454, `Origin`), so no CSRF token is needed.
 * @param baseUrl the public origin
 */
export function isForeign(request: Request, baseUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  return origin !== null && !isOwnOrigin(origin, request.headers.get("host"), baseUrl);
}

/** Whether the origin is the base URL or, over plain http, the host of the request. */
function isOwnOrigin(origin: string, host: string | null, baseUrl: string): boolean {
  if (origin === baseUrl) return true;
  return host !== null && baseUrl.startsWith("http:") && origin === `http://${host}`;
}
