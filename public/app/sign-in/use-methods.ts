import { useEffect, useState } from "preact/hooks";
import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { store } from "../session/store.ts";

/** The fallback if the methods fail to load: a password may still work. */
const PASSWORD_ONLY: SignInMethods = {
  passwords: true,
  passkeys: false,
  providers: [],
  sends_mail: true,
};

/** The sign-in methods; null until they are loaded. */
export function useMethods(): SignInMethods | null {
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  useEffect(() => {
    store.call("GET /api/auth/methods").then(setMethods, () => setMethods(PASSWORD_ONLY));
  }, []);
  return methods;
}
