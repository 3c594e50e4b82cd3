import type { ApiError, LocalCode, Failure } from "../connection/api.ts";
import { type Key, t, tIfKnown } from "./translate.ts";

/**
 * Errors that the client detects itself. Texts for passkey errors are in the error, because they
 * are loaded later.
 */
const LOCAL: Record<Exclude<LocalCode, "no_passkey" | "passkey_here">, Key> = {
  offline: "error.offline",
  not_answering: "error.not-answering",
  broken_off: "error.interrupted",
  not_uploaded: "error.not-uploaded",
  over_limit: "error.over-limit",
};

function isLocal(code: string): code is keyof typeof LOCAL {
  return Object.hasOwn(LOCAL, code);
}

function isFailure(error: unknown): error is Failure {
  return typeof error === "object" && error !== null && "code" in error && "detail" in error;
}

/**
 * Describes an error in the current language. The service answers in English, so other languages
 * translate its error code, and show its English detail for a code without a translation.
 */
export function describeError(error: unknown): string {
  if (!isFailure(error)) return t("error.unknown");
  const { code, detail } = error;
  if (isLocal(code)) return t(LOCAL[code]);
  return tIfKnown(`problem.${code}`, { detail }) ?? (detail || t("error.unknown"));
}

/** The error of a form field; undefined if it has none. */
export function describeFieldError(error: ApiError, name: string): string | undefined {
  const message = error.field(name);
  if (message === undefined) return undefined;
  // Every other code has its own text.
  const key = error.code === "validation" ? `field.${name}` : `problem.${error.code}`;
  return tIfKnown(key, { detail: message }) ?? message;
}
