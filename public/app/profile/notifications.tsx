import type { Me, Sound } from "../../../src/wire/models.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { Field, Select, Switch } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { updateMe } from "./update-me.ts";
import { AllDevices, Pause, PushCard } from "./push-card.tsx";
import { QuietHours } from "./quiet-hours.tsx";
import { t } from "../words/translate.ts";
import { useState } from "preact/hooks";
import { MAX_KEYWORDS, MIN_KEYWORD_LENGTH } from "../../../src/wire/limits.ts";
import { showToast } from "../session/toasts.ts";
import { Form } from "../parts/form.tsx";
import { playSound } from "../session/play-sound.ts";
import { Button } from "../parts/button.tsx";
import { changeMembership } from "../session/membership.ts";
import type { Notifications as Change } from "../session/muting.ts";
import { NotifySelect } from "../session/notify-select.tsx";
import { store } from "../session/store.ts";
import { SearchBox } from "../parts/search-box.tsx";
import type { RoomConversation } from "../state/model/conversation.ts";
import { roomList } from "../state/model/model.ts";
import { isMuted } from "../state/model/unread.ts";

export function Notifications({ me }: { me: Me }) {
  return (
    <>
      <Pause />
      <QuietHours me={me} />
      <PushCard />
      <AllDevices me={me} />
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

/** Words that notify the user like a mention. */
function Keywords({ me }: { me: Me }) {
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
      <Form
        action={action}
        submit={t("save")}
        disabled={text === me.keywords.join(", ")}
        onSubmit={submit}
      >
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

const SOUNDS = ["none", "drop", "chime", "knock"] as const satisfies Sound[];

/** The sound of notifications while Snug is open; choosing one plays it. */
function SoundChoice({ me }: { me: Me }) {
  const action = useAction();
  const choose = (sound: Sound) => {
    void playSound(sound);
    void action.run(() => updateMe({ sound }));
  };
  return (
    <section class="card">
      <h2>{t("sound.title")}</h2>
      <Select
        label={t("sound.label")}
        hint={t("sound.hint")}
        value={me.sound}
        options={SOUNDS.map((sound) => [sound, t(`sound.${sound}`)])}
        onValue={choose}
      />
      {me.sound !== "none" && (
        <div class="actions">
          <Button onClick={() => void playSound(me.sound)}>{t("sound.play")}</Button>
        </div>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </section>
  );
}

/** The filter is shown for at least this many rooms. */
const FILTERED_FROM = 9;

function RoomNotifications() {
  const [query, setQuery] = useState("");
  const rooms = roomList(store.state.value).filter((room) => !room.is_archived);
  const matches = rooms.filter((room) => room.name.includes(query.trim().toLowerCase()));
  if (rooms.length === 0) return null;
  return (
    <section class="card">
      <h2>{t("sidebar.rooms")}</h2>
      {rooms.length >= FILTERED_FROM && (
        <SearchBox
          label={t("room-list.filter")}
          placeholder={t("room-list.filter")}
          value={query}
          onValue={setQuery}
        />
      )}
      {matches.length === 0 && <p class="muted">{t("room-notify.none-found")}</p>}
      <ul class="list room-notify scroll" aria-label={t("sidebar.rooms")}>
        {matches.map((room) => (
          <RoomChoice key={room.id} room={room} />
        ))}
      </ul>
    </section>
  );
}

function RoomChoice({ room }: { room: RoomConversation }) {
  const action = useAction();
  const choose = (change: Change) => action.run(() => changeMembership(room.id, change));
  return (
    <li class={isMuted(room.membership) ? "muted" : ""}>
      <span class="grow truncate">#{room.name}</span>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <NotifySelect
        room={room}
        label={t("room-notify.of", { room: room.name })}
        isDisabled={action.busy}
        onChange={(change) => void choose(change)}
      />
    </li>
  );
}
