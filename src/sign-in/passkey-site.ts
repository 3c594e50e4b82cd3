import { isIP } from "node:net";

/** The site as authenticators know it (WebAuthn, 5.1.2). */

/** The relying party's id: the host that people use, without its port. */
export function rpIdOf(baseUrl: string): string {
  return new URL(baseUrl).hostname;
}

/** Browsers offer passkeys on https, and on this machine; never at an address of IP (WebAuthn, 5.1.2). */
export function arePasskeysPossible(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
}

/** The origins that an answer may come from: over plain http, that of the request as well. */
export function originsOf(baseUrl: string, request: Request): string[] {
  const host = request.headers.get("host");
  const isPlain = baseUrl.startsWith("http:") && host !== null;
  return isPlain ? [baseUrl, `http://${host}`] : [baseUrl];
}
