import type { Me, Sound } from "../../../src/wire/models.ts";
import { playSound } from "../session/play-sound.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Select } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";
import { updateMe } from "./update-me.ts";

const SOUNDS = ["none", "drop", "chime", "knock"] as const satisfies Sound[];

/** The sound of notifications while Snug is open; choosing one plays it. */
export function SoundChoice({ me }: { me: Me }) {
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
