import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "../../../src/snug-client/calls.ts";
import { store } from "../session/store.ts";

type CheckName = "POST /api/signup/check" | "POST /api/auth/reset-password/check";

/**
 * Whether the link of a mail is good, before anything is asked for.
 * @param route that checks its token
 */
export function useLink<Name extends CheckName>(route: Name, token: string | null) {
  const [found, setFound] = useState<AnswerOf<Name> | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  useEffect(() => {
    const check: Promise<AnswerOf<Name>> = store.api.call<CheckName>(route, {
      body: { token: token || "-" },
    });
    check.then(setFound, setRefused);
  }, [token]);
  return { found, refused };
}
