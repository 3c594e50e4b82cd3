import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { EgressError } from "./error.ts";
import { isInNetwork, isPublic } from "../networks.ts";
import type { EgressRule } from "./rules.ts";

/** Resolves all addresses of a name, of both families. */
export type Resolve = (name: string) => Promise<string[]>;

export type Target = { url: URL; addresses: [string, ...string[]] };

export const resolveBySystem: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Decides whether a URL may be requested, and at which addresses. `URL` has normalized every notation
 * of an address (decimal, octal, hexadecimal, short, Unicode digits), so the checked address is the one
 * used for the connection.
 *
 * Every address of a name must be public, because a name that also resolves to an internal address
 * indicates an attack. If the operator allows some of the addresses, only those are used.
 * @throws EgressError `bad_url`, `unresolved`, `not_public`
 */
export async function findTarget(
  input: string | URL,
  allow: readonly EgressRule[],
  resolve: Resolve,
): Promise<Target> {
  const url = parseUrl(input);
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await addressesOf(host, resolve);
  const trustedAddresses = addresses.filter((address) =>
    isAllowed(allow, host, address, portOf(url)),
  );
  const usable =
    trustedAddresses.length > 0 ? trustedAddresses : addresses.every(isPublic) ? addresses : [];
  const [first, ...rest] = usable;
  if (first === undefined) throw new EgressError("not_public", "the address is not public");
  return { url, addresses: [first, ...rest] };
}

function parseUrl(input: string | URL): URL {
  const url = URL.parse(input);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new EgressError("bad_url", "only http and https addresses are allowed");
  }
  if (url.username || url.password) {
    throw new EgressError("bad_url", "an address with a username or password is not allowed");
  }
  return url;
}

/** The host without the brackets of IPv6 and the trailing dot. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

async function addressesOf(name: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(name).catch(() => []);
  if (addresses.length === 0) throw new EgressError("unresolved", "the name does not resolve");
  return addresses;
}

function isAllowed(rules: readonly EgressRule[], host: string, address: string, port: number) {
  return rules.some((rule) => {
    if (rule.port !== null && rule.port !== port) return false;
    if (rule.kind === "host") return rule.value === host;
    return isInNetwork(address, rule.value, rule.prefix);
  });
}
