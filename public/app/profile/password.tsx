import { useState } from "preact/hooks";
import { MIN_PASSWORD_LENGTH } from "../../../src/wire/limits.ts";
import type { Me } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

/** Changes the own password, which ends all other sessions. */
export function Password({ me }: { me: Me }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const action = useAction(["current_password", "new_password", "password"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const body = { current_password: current, new_password: next };
      await store.api.call("PUT /api/auth/me/password", { body });
      setCurrent("");
      setNext("");
      showToast(t("password.changed"));
    });
  };
  return (
    <section class="card">
      <h2>{t("profile.password")}</h2>
      <form class="form" onSubmit={submit}>
        {/* Tells password managers which account this is. */}
        <input
          type="text"
          name="username"
          autocomplete="username"
          value={me.username}
          hidden
          readOnly
        />
        <Field
          label={t("password.current")}
          type="password"
          value={current}
          onValue={setCurrent}
          error={action.field("current_password")}
          autocomplete="current-password"
          required
        />
        <Field
          label={t("password.new")}
          type="password"
          hint={t("password.hint", { count: MIN_PASSWORD_LENGTH })}
          value={next}
          onValue={setNext}
          error={action.field("new_password") ?? action.field("password")}
          autocomplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          required
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy}>
            {t("password.change")}
          </Button>
        </div>
      </form>
    </section>
  );
}
