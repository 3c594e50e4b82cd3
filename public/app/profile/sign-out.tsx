import { useState } from "preact/hooks";
import { limitWait } from "../connection/clock.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { draftSync } from "../session/write-draft.ts";
import { hasSignedOut, storage, store } from "../session/store.ts";
import { countLeftBehind, deleteLeftBehind } from "../state/store/left-behind.ts";
import type { DialogProps } from "../session/overlay.ts";
import { t } from "../words/translate.ts";

/** How long the sign-out waits for drafts that are being saved. */
const SAVE_MS = 3_000;

/** How many messages and drafts exist only in this browser, and whether all sessions should end. */
type Question = { count: number; everywhere: boolean };

export function SignOut() {
  return (
    <section class="card">
      <h2>{t("sign-out")}</h2>
      <Choice />
    </section>
  );
}

export function SignOutDialog({ onClose }: DialogProps<"sign-out">) {
  return (
    <Dialog title={t("sign-out")} onClose={onClose}>
      <Choice />
    </Dialog>
  );
}

function Choice() {
  const action = useAction();
  const [question, setQuestion] = useState<Question | null>(null);
  const begin = (everywhere: boolean) =>
    action.run(async () => {
      await limitWait(async () => draftSync.value?.flush(), undefined, SAVE_MS);
      const { messages, drafts } = countLeftBehind(storage, store.me.value?.id);
      if (messages + drafts === 0) return leave(everywhere);
      setQuestion({ count: messages + drafts, everywhere });
    });
  return (
    <>
      <p class="muted small">{t("account.sign-out-text")}</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button busy={action.busy} onClick={() => void begin(false)}>
          {t("sign-out")}
        </Button>
        <Button kind="danger" busy={action.busy} onClick={() => void begin(true)}>
          {t("account.sign-out-everywhere")}
        </Button>
      </div>
      {question && <AskToKeep {...question} onClose={() => setQuestion(null)} />}
    </>
  );
}

/** Asks what to do with messages and drafts that exist only in this browser. */
function AskToKeep({ count, everywhere, onClose }: Question & { onClose(): void }) {
  const action = useAction();
  const keep = () => void action.run(() => leave(everywhere));
  const discard = () =>
    void action.run(async () => {
      const userId = store.me.value?.id;
      await leave(everywhere, () => deleteLeftBehind(storage, userId));
    });
  return (
    <Dialog title={t("sign-out.left-title")} onClose={onClose}>
      <p>{t("sign-out.left", { count })}</p>
      <p class="muted">{t("sign-out.left-text")}</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button busy={action.busy} onClick={keep}>
          {t("sign-out.keep")}
        </Button>
        <Button kind="danger" busy={action.busy} onClick={discard}>
          {t("sign-out.delete")}
        </Button>
      </div>
    </Dialog>
  );
}

async function leave(everywhere: boolean, onLeft = () => {}): Promise<void> {
  hasSignedOut.value = true;
  const redirect = await store.signOut(everywhere);
  onLeft();
  // The provider ends its own session, and then redirects back.
  if (redirect) location.assign(redirect);
}
