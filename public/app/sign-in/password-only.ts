import type { SignInMethods } from "../../../src/wire/sign-in.ts";

/** The fallback if the methods fail to load: a password may still work. */
export const PASSWORD_ONLY: SignInMethods = {
  passwords: true,
  passkeys: false,
  providers: [],
  sends_mail: true,
};
