import { store } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";

export function SignOut() {
  const action = useAction();
  return (
    <section class="card">
      <h2>Sign out</h2>
      <p class="muted">Messages that still wait to be sent stay in this browser for you.</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button
          kind="danger"
          busy={action.busy}
          onClick={() => void action.run(() => store.signOut())}
        >
          Sign out
        </Button>
      </div>
    </section>
  );
}
