import { isIP } from "node:net";
import { isLoopback } from "../platform/addresses.ts";

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

/**
 * The origins that an answer may come from: BASE_URL's alone, since another port of its host is another
 * program. Where it is not set, Snug is tried out on this machine, at the port that it happens to have.
 */
export function originsOf(
  { baseUrl, config }: { baseUrl: string; config: { baseUrl: string | null } },
  request: Request,
): string[] {
  const site = new URL(baseUrl).origin;
  const address = URL.parse(`http://${request.headers.get("host")}`);
  const isLocal =
    address !== null && (address.hostname === "localhost" || isLoopback(address.hostname));
  return config.baseUrl === null && isLocal ? [site, address.origin] : [site];
}
