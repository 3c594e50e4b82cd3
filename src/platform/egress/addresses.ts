import { BlockList, isIP } from "node:net";

/**
 * IPv4 that is not on the public internet, or serves no site there: IANA's special-purpose registry
 * (RFC 6890 and its updates), and multicast (RFC 5771).
 */
const SPECIAL_V4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind carriers' NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, where clouds tell machines their secrets
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT relays
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/**
 * Of IPv6 only 2000::/3 is given out for the public internet. All else is out by that: `::`, `::1`,
 * IPv4 in IPv6 (::/96, ::ffff:0:0/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64),
 * segment routing (5f00::/16), fc00::/7, fe80::/10, fec0::/10, ff00::/8.
 */
const PUBLIC_V6 = ["2000::/3"];
const SPECIAL_V6 = [
  "2001::/23", // protocol assignments, with Teredo, benchmarks and ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which leads to any IPv4
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

const specialV4 = parseNetworks(SPECIAL_V4);
const publicV6 = parseNetworks(PUBLIC_V6);
const specialV6 = parseNetworks(SPECIAL_V6);

/** A set of networks, in CIDR notation. */
export function parseNetworks(cidrs: string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits] = cidr.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/**
 * True if an address, as a resolver or `URL` writes it, is one of the public internet. IPv4 within
 * IPv6 never is, whatever IPv4 it holds, and neither is an address with a zone (RFC 4007).
 */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialV4.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  return publicV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}
