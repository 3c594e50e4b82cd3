import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { store } from "./store.ts";

let ahead: Promise<SignInMethods> | null = null;

const request = () => store.call("GET /api/auth/methods");

/** Requests what the sign-in offers while its code is loading. */
export function requestMethodsAhead(): void {
  ahead ??= request();
  // A failure reaches the reader.
  ahead.catch(() => {});
}

/**
 * What the sign-in offers: as it was requested ahead, the first time, and requested again after that.
 * @throws ApiError
 */
export function readMethods(): Promise<SignInMethods> {
  const methods = ahead ?? request();
  ahead = null;
  return methods;
}
