/**
 * Whether a request comes from a page of another site. Browsers send that (Fetch Metadata,
 * `Sec-Fetch-Site`; RFC 6454, `Origin`), so no token is needed.
 * @param baseUrl the origin that people use
 */
export function isForeign(request: Request, baseUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  return origin !== null && !isOwnOrigin(origin, request.headers.get("host"), baseUrl);
}

/** True for the base URL and, over plain http, for the host of the request. */
function isOwnOrigin(origin: string, host: string | null, baseUrl: string): boolean {
  if (origin === baseUrl) return true;
  return host !== null && baseUrl.startsWith("http:") && origin === `http://${host}`;
}
