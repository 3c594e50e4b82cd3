import { parseNetwork } from "../networks.ts";

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
  const createError = () =>
    new Error(`has "${entry}", which is not a host, an address or a CIDR with an optional :port.`);
  const match =
    /^\[(?<v6>[^\]]+)\](?::(?<port>\d+))?$/.exec(entry) ??
    /^(?<bare>[^:]*)(?::(?<port>\d+))?$/.exec(entry) ??
    /^(?<bare>.*)$/.exec(entry);
  const groups = match?.groups ?? {};
  const target = (groups.v6 ?? groups.bare ?? "").toLowerCase();
  const port = groups.port === undefined ? null : Number(groups.port);
  if (port !== null && (port < 1 || port > 65_535)) throw createError();
  const network = parseNetwork(target);
  if (network) {
    const { address, prefix } = network;
    return { kind: prefix === null ? "address" : "cidr", value: address, prefix, port };
  }
  if (!HOST.test(target)) throw createError();
  return { kind: "host", value: target, prefix: null, port };
}
