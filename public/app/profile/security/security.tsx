import { useCallback, useEffect, useState } from "preact/hooks";
import type { Me } from "../../../../src/wire/models.ts";
import type { SecondFactorState } from "../../../../src/wire/sign-in.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, LoadError, RetryButton } from "../../parts/error-text.tsx";
import { SkeletonForm } from "../../parts/loaded.tsx";
import { useAction } from "../../parts/use-action.ts";
import { store } from "../../session/store.ts";
import { SignInPage } from "../../sign-in/sign-in-page.tsx";
import { t } from "../../words/translate.ts";
import { Password } from "../password.tsx";
import { Sessions } from "../sessions.tsx";
import { Identities } from "./identities.tsx";
import { SecondFactor } from "./second-factor.tsx";

/** How the account is protected: password, second factor, providers and sessions. */
export function Security({ me }: { me: Me }) {
  const [state, reload, error] = useSecondFactor();
  /** Incremented by changes here, because most of them end the other sessions. */
  const [changes, setChanges] = useState(0);
  const onChanged = async () => {
    await reload();
    setChanges((count) => count + 1);
  };
  if (!state) {
    if (!error) return <SkeletonForm height={240} />;
    return <LoadError text={error} onRetry={() => void reload()} />;
  }
  return (
    <>
      <SecondFactor state={state} onChanged={onChanged} />
      {state.has_password && <Password me={me} />}
      <Identities onChanged={onChanged} />
      <Sessions key={changes} />
    </>
  );
}

/** @returns the state, a function that loads it again, and the error if loading failed */
function useSecondFactor(): [SecondFactorState | null, () => Promise<void>, error: string | null] {
  const [state, setState] = useState<SecondFactorState | null>(null);
  const action = useAction();
  const reload = useCallback(
    () => action.run(async () => setState(await store.call("GET /api/auth/me/second-factor"))),
    [],
  );
  useEffect(() => void reload(), []);
  return [state, reload, action.error];
}

/** The only page for a session that lacks the second factor required by the team. */
export function Restricted() {
  const [state, reload, error] = useSecondFactor();
  const action = useAction();
  const onChanged = async () => {
    await reload();
    const now = await store.call("GET /api/auth/me/second-factor");
    if (!now.is_restricted) await store.start();
  };
  return (
    <SignInPage title={t("restricted.title")} text={t("restricted.text")}>
      {state && <SecondFactor state={state} onChanged={onChanged} />}
      {error && <ErrorText>{error}</ErrorText>}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {error && <RetryButton onRetry={() => void reload()} />}
        <Button busy={action.busy} onClick={() => void action.run(() => store.signOut())}>
          {t("sign-out")}
        </Button>
      </div>
    </SignInPage>
  );
}
