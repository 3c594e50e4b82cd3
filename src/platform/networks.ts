import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An address of IPv4 or IPv6. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All of IPv6 that is given out for the public internet (RFC 3587). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Documentation (RFC 9637), which ipaddr.js does not have. */
const DOCUMENTATION_V6 = ipaddr.IPv6.parseCIDR("3fff::/20");

/**
 * Reads an address in the notation of resolvers and sockets: not the shortened, octal or hexadecimal
 * IPv4 that ipaddr.js accepts too.
 * @returns null for all other text
 */
function parseAddress(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.parse(text);
}

/** The IPv4 address that an IPv6 address stands for (`::ffff:192.0.2.1`), or the address itself. */
function unmap(address: Address): Address {
  return address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address()
    : address;
}

/** True for an IP address of this machine, IPv4 within IPv6 included; false for all other text. */
export function isLoopback(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && unmap(address).range() === "loopback";
}

/**
 * True if an address, as a resolver or `URL` writes it, is one of the public internet: none of the
 * special-purpose addresses of IANA's registries (RFC 6890). IPv4 within IPv6 never is, whatever IPv4
 * it holds, and neither is an address with a zone (RFC 4007).
 */
export function isPublic(text: string): boolean {
  const address = parseAddress(text);
  if (address === null || address.range() !== "unicast" || text.includes("%")) return false;
  if (address.kind() === "ipv4") return true;
  return address.match(GLOBAL_UNICAST_V6) && !address.match(DOCUMENTATION_V6);
}

/**
 * True if an address is in a network of the same family.
 * @param prefix bits of the network; null for a network of one address
 */
export function isInNetwork(text: string, network: string, prefix: number | null): boolean {
  const address = parseAddress(text);
  const base = parseAddress(network);
  if (!address || !base || address.kind() !== base.kind()) return false;
  return address.match(base, prefix ?? base.toByteArray().length * 8);
}

/**
 * The network of an address in CIDR notation.
 * @param bits of the network's prefix, by family
 * @returns null for what is no address
 */
function networkOf(text: string, bits: { ipv4: number; ipv6: number }): string | null {
  const address = parseAddress(text);
  if (address === null) return null;
  const unmapped = unmap(address);
  const prefix = bits[unmapped.kind()];
  const parser = unmapped.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${parser.networkAddressFromCIDR(`${unmapped}/${prefix}`)}/${prefix}`;
}

/** The network of an address, coarse enough to be shown and stored; null for what is no address. */
export function coarseNetwork(text: string): string | null {
  return networkOf(text, { ipv4: 24, ipv6: 48 });
}

/**
 * What limits count for an address: IPv4 itself, and the /64 of IPv6, which usually belongs to one
 * caller. What is no address stays as it is.
 */
export function limitedNetwork(text: string): string {
  return networkOf(text, { ipv4: 32, ipv6: 64 }) ?? text;
}
