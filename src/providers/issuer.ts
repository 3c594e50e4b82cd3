import { isLocalHost } from "../platform/networks.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";

const MAX_ISSUER_LENGTH = 2_048;

/** @throws Refusal `validation` */
export function cleanIssuer(text: string): string {
  // Not normalized, because it is compared with the issuer in the metadata.
  const issuer = text.trim();
  if (isIssuer(issuer)) return issuer;
  throw makeFieldRefusal("/issuer", "An issuer is an https address, as the provider shows it.");
}

/** Requires https, except on this machine. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  const isLocal = isLocalHost(url?.hostname ?? "");
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  return url !== null && isSecure && !(url.search || url.hash || url.username || url.password);
}

/** The issuer in the provider's metadata differs from that in the settings. */
export class IssuerMismatch extends Error {
  override readonly name = "IssuerMismatch";
  /** The issuer of the metadata; null if it is not a valid issuer. */
  readonly metadataIssuer: string | null;

  constructor(actual: unknown, expected: string) {
    const isText = typeof actual === "string" && actual.length <= MAX_ISSUER_LENGTH;
    const canBeSet = isText && isIssuer(actual);
    super(
      canBeSet
        ? `It calls itself ${actual}, but ${expected} is set as its issuer: set it as the provider writes it`
        : `It calls itself ${isText ? actual : "nothing that can be read"}, which is no https address: set its public address at the provider`,
    );
    this.metadataIssuer = canBeSet ? actual : null;
  }
}
