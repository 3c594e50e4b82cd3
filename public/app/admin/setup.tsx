import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { InviteLink, SentInvite } from "../../../src/wire/admin.ts";
import type { Team } from "../../../src/wire/models.ts";
import { INVITE_LINK_DAYS, INVITE_LINK_USES, SETUP_STEPS } from "../../../src/wire/limits.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { lazy } from "../parts/load-chunk.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { shortDateOf } from "../parts/times.ts";
import { useAction, useForm } from "../parts/use-action.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { toRoomName } from "../state/conversations/room-name.ts";
import { InviteForm } from "./invite-form.tsx";
import { TeamForm } from "./team.tsx";
import { showToast } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

const AvatarEditor = lazy("profile/avatar-editor.tsx", "AvatarEditor");

type StepProps = {
  /** Buttons before the step's own: back, and skip. */
  buttons: ComponentChildren;
  onNext(): void;
};
const STEPS: ComponentType<StepProps>[] = [TeamStep, PictureStep, RoomStep, PeopleStep];
const NAMES = ["team", "picture", "room", "people"] as const;

/**
 * Guides the first administrator: each step can be skipped, and a reload continues at the same
 * step.
 */
export function Setup() {
  const step = Math.min(store.team.value?.setup_step ?? 0, SETUP_STEPS - 1);
  const action = useAction();
  const goTo = (setup_step: number) =>
    void action.run(async () => {
      const body = { setup_step };
      leaveIfDone(await store.call("PUT /api/admin/settings/team", { body }));
    });
  useEffect(() => {
    // The setup is done once there are messages, which the team in the store may not reflect yet.
    if ((store.team.peek()?.setup_step ?? SETUP_STEPS) < SETUP_STEPS)
      store.call("GET /api/team").then(leaveIfDone, () => {});
  }, []);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    const field = card.current?.querySelector<HTMLInputElement>("input.input");
    (field ?? card.current?.querySelector<HTMLElement>("h2"))?.focus();
    // Selects a suggested name, so that typing replaces it.
    field?.select();
  }, [step]);
  const Step = STEPS[step] ?? TeamStep;
  const name = NAMES[step] ?? "team";
  const isLast = step === SETUP_STEPS - 1;
  return (
    <section class="pane">
      <PaneHead title={t("setup.title")} />
      <div class="page grow scroll">
        <section class="card setup" key={step} ref={card}>
          <p class="muted small">{t("setup.step", { step: step + 1, count: SETUP_STEPS })}</p>
          <h2 tabIndex={-1}>{t(`setup.${name}`)}</h2>
          <p class="muted">{t(`setup.${name}-text`)}</p>
          {action.error && <ErrorText>{action.error}</ErrorText>}
          <Step
            buttons={
              <>
                {step > 0 && (
                  <span class="back">
                    <Button onClick={() => goTo(step - 1)}>{t("shell.back")}</Button>
                  </span>
                )}
                {!isLast && (
                  <Button busy={action.busy} onClick={() => goTo(step + 1)}>
                    {t("setup.skip")}
                  </Button>
                )}
              </>
            }
            onNext={() => goTo(step + 1)}
          />
        </section>
      </div>
    </section>
  );
}

function leaveIfDone(team: Team) {
  if (team.setup_step >= SETUP_STEPS) navigateTo("/", true);
}

function TeamStep({ buttons, onNext }: StepProps) {
  return <TeamForm submit={t("setup.next")} buttons={buttons} onSaved={onNext} />;
}

function PictureStep({ buttons, onNext }: StepProps) {
  const me = store.me.value;
  if (!me) return null;
  return (
    <>
      <AvatarEditor me={me} isPrimary />
      <div class="actions">
        {buttons}
        {me.avatar_url && (
          <Button kind="primary" onClick={onNext}>
            {t("setup.next")}
          </Button>
        )}
      </div>
    </>
  );
}

/** Creates the first room, which everyone who signs up joins. */
function RoomStep({ buttons, onNext }: StepProps) {
  const { values, set, action, field } = useForm({ name: "general" });
  const submit = async () => {
    const room = await store.call("POST /api/rooms", { body: { ...values, privacy: "open" } });
    const params = { id: room.id };
    await store.call("PATCH /api/admin/rooms/:id", { params, body: { is_default: true } });
    onNext();
  };
  return (
    <Form action={action} submit={t("create.submit")} button={buttons} onSubmit={submit}>
      <Field
        label={t("setup.room-name")}
        hint={t("create.name-hint")}
        {...field("name")}
        onValue={(text) => set({ name: toRoomName(text) })}
        autocomplete="off"
        required
      />
    </Form>
  );
}

/** Shows a link with which the team can join, and invites by email. */
function PeopleStep({ buttons, onNext }: StepProps) {
  const [invite, setInvite] = useState<SentInvite | null>(null);
  return (
    <>
      <TeamLink />
      <h3>{t("setup.by-email")}</h3>
      <InviteForm
        kind="quiet"
        onSent={async (invite) => {
          if (invite.link) setInvite(invite);
          else showToast(t("invites.sent", { email: invite.email }));
        }}
      />
      <div class="actions">
        {buttons}
        <Button kind="primary" onClick={onNext}>
          {t("setup.finish")}
        </Button>
      </div>
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

/** The newest valid invite link. Without a valid link, a new one is created. */
function TeamLink() {
  const load = async () => {
    const { items } = await store.call("GET /api/admin/invite-links");
    const usable = items.find(({ is_active, link }) => is_active && link !== null);
    const body = { days: INVITE_LINK_DAYS, max_uses: INVITE_LINK_USES };
    return usable ?? (await store.call("POST /api/admin/invite-links", { body }));
  };
  return (
    <Loaded load={load} height={77}>
      {(link) => <LinkToCopy link={link} />}
    </Loaded>
  );
}

function LinkToCopy({ link: { link, uses, max_uses, expires_at } }: { link: InviteLink }) {
  return (
    <CopyField
      label={t("setup.link")}
      hint={
        <p class="muted small">
          {t("links.count", { uses, max: max_uses })} ·{" "}
          {t("expires-at", { when: shortDateOf(new Date(expires_at)) })}
        </p>
      }
      value={link ?? ""}
    />
  );
}
