import { isIP } from "node:net";

/** An entry of EGRESS_ALLOW: a host name, an address or a CIDR, optionally limited to one port. */
export type EgressRule = {
  kind: "host" | "address" | "cidr";
  /** A lower-case host name, an address, or a network address. */
  value: string;
  /** Prefix length of a CIDR. */
  prefix: number | null;
  port: number | null;
};

const HOST =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Parses a comma-separated list such as `ci.internal:8080, 10.0.0.0/8, [fd00::1]:443`.
 * @throws Error whose message is meant to follow the variable's name
 */
export function parseEgressAllow(list: string): readonly EgressRule[] {
  const entries = list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return entries.map(parseEntry);
}

function parseEntry(entry: string): EgressRule {
  const bad = () =>
    new Error(`has "${entry}", which is not a host, an address or a CIDR with an optional :port.`);
  const match =
    /^\[(?<v6>[^\]]+)\](?::(?<port>\d+))?$/.exec(entry) ??
    /^(?<bare>[^:]*)(?::(?<port>\d+))?$/.exec(entry) ??
    /^(?<bare>.*)$/.exec(entry);
  const groups = match?.groups ?? {};
  const target = (groups.v6 ?? groups.bare ?? "").toLowerCase();
  const port = groups.port === undefined ? null : Number(groups.port);
  if (port !== null && (port < 1 || port > 65_535)) throw bad();
  const [address = "", bits] = target.split("/");
  if (bits !== undefined) {
    const family = isIP(address);
    const prefix = Number(bits);
    if (family === 0 || !/^\d+$/.test(bits) || prefix > (family === 4 ? 32 : 128)) throw bad();
    return { kind: "cidr", value: address, prefix, port };
  }
  if (isIP(address)) return { kind: "address", value: address, prefix: null, port };
  if (!HOST.test(address)) throw bad();
  return { kind: "host", value: address, prefix: null, port };
}
