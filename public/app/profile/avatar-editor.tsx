import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Me } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { ChoosePicture } from "../parts/choose-picture.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Avatar } from "../session/person.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

type AvatarEditorProps = {
  me: Me;
  /** Whether choosing a first picture is the main action of the page. */
  isPrimary?: boolean;
  /** Above the buttons. */
  children?: ComponentChildren;
};

const WITH_TEXT = { alignItems: "start", paddingBottom: "12px" };

export function AvatarEditor({ me, isPrimary, children }: AvatarEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const action = useAction();
  const remove = () =>
    void action.run(async () => {
      await store.call("DELETE /api/auth/me/avatar");
      showToast(t("picture.removed"));
    });
  return (
    <div class="avatar-editor gap-16 row wrap" style={children ? WITH_TEXT : undefined}>
      <Avatar user={me} size={64} />
      <div class="grow stack">
        {children}
        <div class="buttons">
          <Button
            kind={isPrimary && !me.avatar_url ? "primary" : "quiet"}
            onClick={() => input.current?.click()}
          >
            {me.avatar_url ? t("picture.change") : t("picture.choose")}
          </Button>
          {me.avatar_url && (
            <Button busy={action.busy} onClick={remove}>
              {t("action.remove")}
            </Button>
          )}
        </div>
      </div>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <ChoosePicture
        input={input}
        label={t("picture.file")}
        title={t("picture.title")}
        onSave={async (body) => {
          await store.call("PUT /api/auth/me/avatar", { body });
          showToast(t("picture.saved"));
        }}
      />
    </div>
  );
}
