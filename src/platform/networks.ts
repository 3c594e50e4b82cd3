import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Global unicast addresses, the only IPv6 range allocated for the public internet (RFC 3587). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** The documentation range (RFC 9637), which ipaddr.js lacks. */
const DOCUMENTATION_V6 = ipaddr.IPv6.parseCIDR("3fff::/20");

/**
 * Parses an address in canonical notation, as resolvers and sockets use it. Rejects the short, octal
 * and hexadecimal IPv4 notations that ipaddr.js also accepts.
 * @returns null for any other text
 */
function parseAddress(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.parse(text);
}

/**
 * Parses an address, or a network in CIDR notation.
 * @returns the length of the prefix in bits, null for a single address; null for any other text
 */
export function parseNetwork(text: string): { address: string; prefix: number | null } | null {
  const [address = ""] = text.split("/", 1);
  if (parseAddress(address) === null) return null;
  if (address === text) return { address, prefix: null };
  return ipaddr.isValidCIDR(text) ? { address, prefix: ipaddr.parseCIDR(text)[1] } : null;
}

/** The IPv4 address within an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), or the address itself. */
function unmap(address: Address): Address {
  return address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address()
    : address;
}

/** Whether the text is a loopback address, including IPv4-mapped IPv6 addresses. */
export function isLoopback(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && unmap(address).range() === "loopback";
}

/** Whether the host of a URL is this machine. */
export function isLocalHost(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

/**
 * Whether an address in canonical notation is on the public internet and not a special-purpose address
 * of IANA's registries (RFC 6890). IPv6 addresses that embed IPv4 are never public, whatever IPv4
 * address they contain, and neither are addresses with a zone (RFC 4007).
 */
export function isPublic(text: string): boolean {
  const address = parseAddress(text);
  if (address === null || address.range() !== "unicast" || text.includes("%")) return false;
  if (address.kind() === "ipv4") return true;
  return address.match(GLOBAL_UNICAST_V6) && !address.match(DOCUMENTATION_V6);
}

/**
 * Whether an address is in a network of the same family.
 * @param prefix length of the network's prefix in bits; null for a single address
 */
export function isInNetwork(text: string, network: string, prefix: number | null): boolean {
  const address = parseAddress(text);
  const base = parseAddress(network);
  if (!address || !base || address.kind() !== base.kind()) return false;
  return address.match(base, prefix ?? base.toByteArray().length * 8);
}

/**
 * The network of an address in CIDR notation.
 * @param bits the prefix length for each family
 * @returns null if the text is not an address
 */
function networkOf(text: string, bits: { ipv4: number; ipv6: number }): string | null {
  const address = parseAddress(text);
  if (address === null) return null;
  const canonical = unmap(address);
  const prefix = bits[canonical.kind()];
  const parser = canonical.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${parser.networkAddressFromCIDR(`${canonical}/${prefix}`)}/${prefix}`;
}

/** The network of an address, coarse enough to be stored and shown; null if the text is not an address. */
export function coarseNetwork(text: string): string | null {
  return networkOf(text, { ipv4: 24, ipv6: 48 });
}

/**
 * The key of an address for rate limits: the IPv4 address, or the /64 of an IPv6 address, which usually
 * belongs to one caller. Other text is returned unchanged.
 */
export function limitedNetwork(text: string): string {
  return networkOf(text, { ipv4: 32, ipv6: 64 }) ?? text;
}
