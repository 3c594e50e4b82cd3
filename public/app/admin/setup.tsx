import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SentInvite } from "../../../src/wire/admin.ts";
import type { Team } from "../../../src/wire/models.ts";
import { SETUP_STEPS } from "../../../src/wire/limits.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { lazy } from "../parts/lazy.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { useAction } from "../parts/use-action.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { toRoomName } from "../state/conversations/room-name.ts";
import { InviteForm } from "./invite-form.tsx";
import { InviteLinks } from "./invite-links.tsx";
import { TeamForm } from "./team.tsx";
import { showToast } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

const AvatarEditor = lazy("profile", () =>
  import("../profile/avatar-editor.tsx").then((m) => m.AvatarEditor),
);

type StepProps = { onNext(): void };
const STEPS: ComponentType<StepProps>[] = [TeamStep, PictureStep, RoomStep, PeopleStep];
const NAMES = ["team", "picture", "room", "people"] as const;

/** Guides the first administrator: each step can be skipped, and a reload goes on where it was left. */
export function Setup() {
  const step = Math.min(store.team.value?.setup_step ?? 0, SETUP_STEPS - 1);
  const action = useAction();
  const goTo = (setup_step: number) =>
    void action.run(async () => {
      const body = { setup_step };
      leaveIfDone(await store.call("PUT /api/admin/settings/team", { body }));
    });
  useEffect(() => {
    // What this page knows of the team may be older than its first messages.
    if ((store.team.peek()?.setup_step ?? SETUP_STEPS) < SETUP_STEPS)
      store.call("GET /api/team").then(leaveIfDone, () => {});
  }, []);
  const Step = STEPS[step] ?? TeamStep;
  const name = NAMES[step] ?? "team";
  const isLast = step === SETUP_STEPS - 1;
  return (
    <section class="pane">
      <PaneHead title={t("setup.title")} />
      <div class="page">
        <section class="card" key={step}>
          <p class="muted small">{t("setup.step", { step: step + 1, count: SETUP_STEPS })}</p>
          <h2>{t(`setup.${name}`)}</h2>
          <p class="muted">{t(`setup.${name}-text`)}</p>
          <Step onNext={() => goTo(step + 1)} />
          {action.error && <ErrorText>{action.error}</ErrorText>}
          <div class="actions">
            {step > 0 && <Button onClick={() => goTo(step - 1)}>{t("setup.back")}</Button>}
            <Button busy={action.busy} onClick={() => goTo(step + 1)}>
              {isLast ? t("setup.finish") : t("setup.skip")}
            </Button>
          </div>
        </section>
      </div>
    </section>
  );
}

/** Leaves once nothing is left to set up. */
function leaveIfDone(team: Team) {
  if (team.setup_step >= SETUP_STEPS) navigateTo("/", true);
}

function TeamStep({ onNext }: StepProps) {
  return <TeamForm submit={t("setup.next")} onSaved={onNext} />;
}

function PictureStep({ onNext }: StepProps) {
  const me = store.me.value;
  if (!me) return null;
  return (
    <>
      <AvatarEditor me={me} />
      {me.avatar_url && (
        <div class="actions">
          <Button kind="primary" onClick={onNext}>
            {t("setup.next")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Creates the first room, which everyone who signs up joins. */
function RoomStep({ onNext }: StepProps) {
  const [name, setName] = useState("general");
  const action = useAction(["name"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const room = await store.call("POST /api/rooms", { body: { name, privacy: "open" } });
      const params = { id: room.id };
      await store.call("PATCH /api/admin/rooms/:id", { params, body: { is_default: true } });
      onNext();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field
        label={t("setup.room-name")}
        hint={t("create.name-hint")}
        value={name}
        onValue={(text) => setName(toRoomName(text))}
        error={action.field("name")}
        autocomplete="off"
        required
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button kind="primary" type="submit" busy={action.busy}>
          {t("create.submit")}
        </Button>
      </div>
    </form>
  );
}

function PeopleStep() {
  const [invite, setInvite] = useState<SentInvite | null>(null);
  return (
    <>
      <InviteForm
        onSent={async (invite) => {
          if (invite.link) setInvite(invite);
          else showToast(t("invites.sent", { email: invite.email }));
        }}
      />
      <InviteLinks />
      {invite?.link && (
        <OneTimeSecret
          title={t("invites.copy-link")}
          text={t("invites.copy-link-text", { email: invite.email })}
          label={t("invites.link")}
          value={invite.link}
          onClose={() => setInvite(null)}
        />
      )}
    </>
  );
}
