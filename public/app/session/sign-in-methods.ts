import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { store } from "./store.ts";

let ahead: Promise<SignInMethods> | null = null;

const request = () => store.call("GET /api/auth/methods");

/** Requests the sign-in methods while the code of the sign-in is loading. */
export function requestMethodsAhead(): void {
  ahead ??= request();
  // `readMethods` reports a failure.
  ahead.catch(() => {});
}

/**
 * Reads the sign-in methods: from the request made ahead the first time, and from a new request
 * after that.
 * @throws ApiError
 */
export function readMethods(): Promise<SignInMethods> {
  const methods = ahead ?? request();
  ahead = null;
  return methods;
}
