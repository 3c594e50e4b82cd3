import { isIPv4, isIPv6 } from "node:net";

/**
 * The network of an address, coarse enough to be shown and stored: the /24 of IPv4 and the /48 of IPv6.
 * @returns null for what is no address
 */
export function networkClass(address: string): string | null {
  const v4 = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(v4)) return `${v4.split(".").slice(0, 3).join(".")}.0/24`;
  if (!isIPv6(address)) return null;
  const [head = "", tail = ""] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = Array(Math.max(0, 8 - front.length - back.length)).fill("0");
  const groups = [...front, ...zeros, ...back].slice(0, 3);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/48`;
}
