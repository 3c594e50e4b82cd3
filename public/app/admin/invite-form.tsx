import { useEffect, useState } from "preact/hooks";
import type { SentInvite } from "../../../src/wire/admin.ts";
import type { Room } from "../../../src/wire/models.ts";
import { MAX_INVITE_ROOMS } from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { wasConversation } from "../state/model/former-conversation.ts";
import { t } from "../words/translate.ts";

type InviteFormProps = {
  /** Where something else is the main action. */
  kind?: "quiet";
  onSent(sent: SentInvite): Promise<void>;
};

/** Invites someone by email, with the rooms to join. */
export function InviteForm({ kind, onSent }: InviteFormProps) {
  const [email, setEmail] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [rooms, setRooms] = useState<Room[]>([]);
  const action = useAction(["email", "room_ids"]);
  useEffect(() => {
    store
      .call("GET /api/admin/rooms", { query: { status: "open", limit: 200 } })
      .then(({ items }) => setRooms(items.filter((room) => !wasConversation(room))))
      // An invite can be sent without rooms.
      .catch(() => {});
  }, []);
  const submit = async () => {
    const body = { email: email.trim(), room_ids: chosen };
    const sent = await store.call("POST /api/admin/invites", { body });
    setEmail("");
    setChosen([]);
    await onSent(sent);
  };
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Form action={action} kind={kind} submit={t("invites.submit")} onSubmit={submit}>
      <Field
        label={t("email")}
        type="email"
        hint={t("invites.email-hint")}
        value={email}
        onValue={setEmail}
        error={action.field("email")}
        autocomplete="off"
        required
      />
      {rooms.length > 0 && (
        <details>
          <summary>
            {chosen.length > 0
              ? t("invites.rooms-chosen", { count: chosen.length })
              : t("invites.rooms")}
          </summary>
          <div class="checks">
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
        </details>
      )}
    </Form>
  );
}
