import { useEffect, useState } from "preact/hooks";
import type { SentInvite } from "../../../src/wire/admin.ts";
import type { Room } from "../../../src/wire/models.ts";
import { MAX_INVITE_ROOMS } from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Details } from "../parts/details.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Notice } from "../parts/notice.tsx";
import { useForm } from "../parts/use-action.ts";
import { wasConversation } from "../state/model/former-conversation.ts";
import { t } from "../words/translate.ts";

type InviteFormProps = {
  /** `quiet` where something else is the main action. */
  kind?: "primary" | "quiet";
  onSent(sent: SentInvite): Promise<void>;
};

/** Invites someone by email, or with a link to pass on where no email is sent. */
export function InviteForm(props: InviteFormProps) {
  return (
    <Loaded load={() => store.call("GET /api/auth/methods")} height={FORM_HEIGHT}>
      {({ sends_mail }) => <EmailForm {...props} sendsMail={sends_mail} />}
    </Loaded>
  );
}

const FORM_HEIGHT = 82;

type EmailFormProps = InviteFormProps & { sendsMail: boolean };

function EmailForm({ kind = "primary", sendsMail, onSent }: EmailFormProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [rooms, setRooms] = useState<Room[]>([]);
  const { values, set, action, field } = useForm({ email: "" });
  useEffect(() => {
    store
      .call("GET /api/admin/rooms", { query: { status: "open", limit: 200 } })
      .then(({ items }) => setRooms(items.filter((room) => !wasConversation(room))))
      // An invite can be sent without rooms.
      .catch(() => {});
  }, []);
  const submit = async () => {
    const body = { email: values.email.trim(), room_ids: chosen };
    const sent = await store.call("POST /api/admin/invites", { body });
    set({ email: "" });
    setChosen([]);
    await onSent(sent);
  };
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Form action={action} onSubmit={submit}>
      {!sendsMail && <Notice>{t("invites.no-mail")}</Notice>}
      <Field
        label={t("email")}
        type="email"
        hint={sendsMail ? t("invites.email-hint") : undefined}
        {...field("email")}
        autocomplete="off"
        required
        button={
          <Button kind={kind} type="submit" busy={action.busy}>
            {t("invites.submit")}
          </Button>
        }
      />
      {rooms.some(({ is_default }) => !is_default) && (
        <Details
          summary={
            chosen.length > 0
              ? t("invites.rooms-chosen", { count: chosen.length })
              : t("invites.rooms")
          }
        >
          <div class="checks columns">
            {rooms.map((room) => (
              <label key={room.id}>
                <input
                  type="checkbox"
                  checked={room.is_default || chosen.includes(room.id)}
                  disabled={
                    room.is_default ||
                    (chosen.length >= MAX_INVITE_ROOMS && !chosen.includes(room.id))
                  }
                  onChange={() => toggle(room.id)}
                />{" "}
                #{room.name}
                {room.is_default && <span class="muted small"> {t("admin-rooms.is-default")}</span>}
              </label>
            ))}
          </div>
        </Details>
      )}
    </Form>
  );
}
