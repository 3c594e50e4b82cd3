import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { ApiError } from "../connection/api.ts";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
} from "../../../src/wire/sign-in.ts";

/** Whether passkeys work: `insecure` at an address without HTTPS or with an IP address. */
export function readPasskeySupport(): "ready" | "insecure" | "missing" {
  // Web Authentication, 5.1.3: the id of a site is a domain.
  if (!isSecureContext || /^[\d.]+$|:/.test(location.hostname)) return "insecure";
  return "PublicKeyCredential" in window ? "ready" : "missing";
}

export const canUsePasskeys = () => readPasskeySupport() === "ready";

/** The library polyfills older browsers. Its types are stricter than those of the wire. */
type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

/**
 * Asks the browser to sign with a passkey.
 * @throws ApiError `no_passkey` if the person cancelled or has no passkey here
 */
export async function signWithPasskey(): Promise<PasskeyAssertion> {
  const optionsJSON = (await store.call("POST /api/auth/passkey/options")) as RequestOptions;
  return startAuthentication({ optionsJSON }).catch(toApiError) as Promise<PasskeyAssertion>;
}

/**
 * Offers passkeys among the browser's suggestions in a field (conditional mediation).
 * @returns the signed assertion; null if the person chose none before leaving the page, or none can
 * be offered
 */
export async function offerPasskeys(): Promise<PasskeyAssertion | null> {
  if (!canUsePasskeys()) return null;
  try {
    if (!(await browserSupportsWebAuthnAutofill())) return null;
    const optionsJSON = (await store.call("POST /api/auth/passkey/options")) as RequestOptions;
    const assertion = startAuthentication({ optionsJSON, useBrowserAutofill: true });
    return (await assertion) as PasskeyAssertion;
  } catch {
    // The passkey button reports the error.
    return null;
  }
}

/** Aborts `offerPasskeys`. */
export const stopOffering = () => WebAuthnAbortService.cancelCeremony();

/**
 * Asks the browser to create a passkey.
 * @throws ApiError `no_passkey` if the person cancelled, `passkey_here` if this device already has
 * one
 */
export async function makePasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const optionsJSON = options as CreationOptions;
  return startRegistration({ optionsJSON }).catch(toApiError) as Promise<PasskeyAttestation>;
}

/**
 * `InvalidStateError` means that the authenticator already has a passkey of this account (WebAuthn,
 * 5.1.3).
 */
function toApiError(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") throw new ApiError("passkey_here", t("passkey.here"));
  throw new ApiError("no_passkey", t("passkey.none-used"));
}
