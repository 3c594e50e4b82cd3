import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { MAX_TEAM_NAME_LENGTH } from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { ChoosePicture } from "../parts/choose-picture.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction, useForm } from "../parts/use-action.ts";
import { Brand } from "../sign-in/sign-in-page.tsx";
import { t } from "../words/translate.ts";

/** The name and logo of the team, which the client shows in place of Snug's. */
export function TeamPage() {
  return (
    <>
      <h2 class="not-on-phone">{t("admin.team")}</h2>
      <p class="muted small">{t("team.text")}</p>
      <Brand />
      <TeamForm submit={t("save")} onlyChanged onSaved={() => showToast(t("team.saved"))} />
    </>
  );
}

type TeamFormProps = {
  submit: string;
  /** Whether it can be submitted only after a change. */
  onlyChanged?: boolean;
  buttons?: ComponentChildren;
  onSaved(): void;
};

/** The name and logo of the team; without a name it is called Snug. */
export function TeamForm({ submit, onlyChanged, buttons, onSaved }: TeamFormProps) {
  const team = store.team.value;
  const { values, action, field, isChanged } = useForm({ name: team?.is_named ? team.name : "" });
  const save = async () => {
    const body = { name: values.name.trim() || null };
    await store.call("PUT /api/admin/settings/team", { body });
    onSaved();
  };
  return (
    <Form
      action={action}
      submit={submit}
      button={buttons}
      disabled={onlyChanged && !isChanged}
      onSubmit={save}
    >
      <Field
        label={t("team.name")}
        hint={t("team.name-hint")}
        {...field("name")}
        maxLength={MAX_TEAM_NAME_LENGTH}
        autocomplete="organization"
      />
      <Logo />
    </Form>
  );
}

/** The logo, which is saved as soon as it is chosen. */
function Logo() {
  const team = store.team.value;
  const input = useRef<HTMLInputElement>(null);
  const logo = useAction();
  return (
    <div class="field">
      <span class="small strong">{t("team.logo")}</span>
      <div class="buttons">
        <Button busy={logo.busy} onClick={() => input.current?.click()}>
          {team?.logo_url ? t("team.change-logo") : t("team.choose-logo")}
        </Button>
        {team?.logo_url && (
          <Button
            kind="danger"
            onClick={() => void logo.run(() => store.call("DELETE /api/admin/settings/team/logo"))}
          >
            {t("team.remove-logo")}
          </Button>
        )}
      </div>
      <p class="muted small">{t("team.logo-hint")}</p>
      {logo.error && <ErrorText>{logo.error}</ErrorText>}
      <ChoosePicture
        input={input}
        label={t("team.logo")}
        title={t("team.logo")}
        isSquare
        onSave={(body) => store.call("PUT /api/admin/settings/team/logo", { body })}
      />
    </div>
  );
}
