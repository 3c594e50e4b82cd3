import type { Me } from "../../../src/wire/models.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { Switch } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { Keywords } from "./keywords.tsx";
import { updateMe } from "./update-me.ts";
import { PushCard } from "./push-card.tsx";
import { QuietHours } from "./quiet-hours.tsx";
import { RoomNotifications } from "./room-notifications.tsx";
import { SoundChoice } from "./sound-choice.tsx";
import { t } from "../words/translate.ts";

/** The settings of notifications: pushes, quiet hours, keywords, sounds and emails. */
export function Notifications({ me }: { me: Me }) {
  return (
    <>
      <PushCard me={me} />
      <QuietHours me={me} />
      <Keywords me={me} />
      <RoomNotifications />
      <SoundChoice me={me} />
      <Email me={me} />
    </>
  );
}

function Email({ me }: { me: Me }) {
  const action = useAction();
  return (
    <section class="card">
      <h2>{t("email")}</h2>
      <Switch
        label={t("email-setting.added")}
        hint={t("email-setting.to", { email: me.email ?? "" })}
        checked={me.email_on_added}
        onChecked={(email_on_added) => void action.run(() => updateMe({ email_on_added }))}
      />
      <Switch
        label={t("email-setting.missed")}
        hint={t("email-setting.missed-hint")}
        checked={me.email_on_missed}
        onChecked={(email_on_missed) => void action.run(() => updateMe({ email_on_missed }))}
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </section>
  );
}
