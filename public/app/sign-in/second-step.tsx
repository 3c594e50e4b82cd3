import type { Factor } from "../../../src/wire/sign-in.ts";
import { store } from "../session/store.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { Ways } from "./ways.tsx";
import { t } from "../words/translate.ts";

type SecondStepProps = { factors: Factor[]; onSignedIn(): void; onBack(): void };

/** After the password, where a second factor is on. */
export function SecondStep({ factors, onSignedIn, onBack }: SecondStepProps) {
  return (
    <SignInPage title={t("second-step.title")} text={t("second-step.text")}>
      <Ways
        ways={factors}
        submit={t("sign-in")}
        onSend={async (proof) => {
          // A password is no second factor, and is never among the ways of this page.
          const { password: _, ...body } = proof;
          store.enter(await store.call("POST /api/auth/login/second", { body }));
          onSignedIn();
        }}
      />
      <button type="button" class="link small start-over" onClick={onBack}>
        {t("second-step.back")}
      </button>
    </SignInPage>
  );
}
