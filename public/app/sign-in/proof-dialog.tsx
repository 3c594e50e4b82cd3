import { proofQuestion, type ProofQuestion } from "../session/proof.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Ways } from "./ways.tsx";
import { t } from "../words/translate.ts";

/**
 * Asks the person to reauthenticate before a change that could let someone else take over the
 * account.
 */
function ProofDialog({ ways, answer }: ProofQuestion) {
  return (
    <Dialog title={t("proof.title")} onClose={() => answer(false)}>
      <p class="muted">{t("proof.text")}</p>
      <Ways
        ways={ways}
        submit={t("action.confirm")}
        onSend={async (body) => {
          await store.call("POST /api/auth/proof", { body });
          answer(true);
        }}
      />
    </Dialog>
  );
}

/** Shows the dialog while a call waits for reauthentication. */
export function OpenProof() {
  const question = proofQuestion.value;
  return question && <ProofDialog {...question} />;
}
