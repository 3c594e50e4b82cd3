import { useState } from "preact/hooks";
import { MAX_KEYWORDS, MIN_KEYWORD_LENGTH } from "../../../src/wire/limits.ts";
import type { Me } from "../../../src/wire/models.ts";
import { showToast } from "../session/toasts.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { updateMe } from "./update-me.ts";
import { t } from "../words/translate.ts";

/** Keywords, which notify their user as a mention does. */
export function Keywords({ me }: { me: Me }) {
  const [text, setText] = useState(me.keywords.join(", "));
  const action = useAction();
  const submit = async () => {
    const keywords = text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== "");
    await updateMe({ keywords });
    showToast(t("keywords.saved"));
  };
  return (
    <section class="card">
      <h2>{t("keywords.title")}</h2>
      <Form action={action} submit={t("save")} onSubmit={submit}>
        <Field
          label={t("keywords.label")}
          hint={t("keywords.hint", { count: MAX_KEYWORDS, length: MIN_KEYWORD_LENGTH })}
          value={text}
          onValue={setText}
          autocomplete="off"
        />
      </Form>
    </section>
  );
}
