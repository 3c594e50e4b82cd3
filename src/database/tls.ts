import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";
import { listHosts } from "../config.ts";

type Tls = Pick<
  ConnectionOptions,
  "ca" | "cert" | "key" | "rejectUnauthorized" | "checkServerIdentity"
>;

const OWN = ["sslrootcert", "sslcert", "sslkey"];

/**
 * Extracts libpq's TLS parameters from a URL, because the driver supports only `sslmode`.
 * @returns the URL without them, and the TLS options; null if the driver should apply its own `sslmode`
 * @throws Error with a sentence for the operator, if a file cannot be read
 */
export function takeTls(url: string): { url: string; tls: Tls | null } {
  const [base = "", query = ""] = url.split("?");
  const params = new URLSearchParams(query);
  const mode = params.get("sslmode") ?? "";
  const root = params.get("sslrootcert");
  const isVerified = mode.startsWith("verify-") || root !== null;
  const [certificate, key] = [params.get("sslcert"), params.get("sslkey")];
  if (mode === "disable" || (!isVerified && certificate === null)) return { url, tls: null };
  for (const name of ["sslmode", ...OWN]) params.delete(name);
  const tls: Tls = { rejectUnauthorized: isVerified };
  if (root !== null && root !== "system") tls.ca = readPem("sslrootcert", root);
  if (certificate !== null) tls.cert = readPem("sslcert", certificate);
  if (key !== null) tls.key = readPem("sslkey", key);
  // With a root certificate, `require` means `verify-ca`, as in libpq.
  if (mode === "verify-full" || root === "system") tls.checkServerIdentity = checkHost(base);
  else tls.checkServerIdentity = () => undefined;
  const remaining = params.toString();
  return { url: remaining ? `${base}?${remaining}` : base, tls };
}

/** TLS sends no server name for an IP address, so the expected host comes from the URL. */
function checkHost(base: string): Tls["checkServerIdentity"] {
  const addresses = listHosts(base)
    .map(({ host }) => host)
    .filter((host) => isIP(host) > 0);
  return (name, certificate) => {
    if (addresses.length === 0) return checkServerIdentity(name, certificate);
    const errors = addresses.map((address) => checkServerIdentity(address, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`${name} in DATABASE_URL cannot be read (${code}): ${path}`);
  }
}
