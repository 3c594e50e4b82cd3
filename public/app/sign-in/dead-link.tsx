import { t } from "../words/translate.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { useEffect, useState } from "preact/hooks";
import type { ResponseOf } from "../../../src/snug-client/calls.ts";
import { store } from "../session/store.ts";

/** Shown for a link that was used, has expired or never existed. */
export function DeadLink({ text, to, action }: { text: string; to: string; action: string }) {
  return (
    <SignInPage title={t("sign-in.dead-link")} text={text}>
      <a class="button primary full" href={to}>
        {action}
      </a>
    </SignInPage>
  );
}

type CheckName = "POST /api/signup/check" | "POST /api/auth/reset-password/check";

/**
 * Checks the token of a link in an email before its form is shown.
 * @param route the endpoint that checks the token
 */
export function useLinkCheck<Name extends CheckName>(route: Name, token: string | null) {
  const [data, setData] = useState<ResponseOf<Name> | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const check: Promise<ResponseOf<Name>> = store.call<CheckName>(route, {
      body: { token: token || "-" },
    });
    check.then(setData, setError);
  }, [token]);
  return { data, error };
}
