import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { storage } from "../session/store.ts";
import { countLeftBehind, deleteLeftBehind } from "../state/store/left-behind.ts";
import { t } from "../words/translate.ts";

/** Says that this browser has messages and drafts that were not sent, and deletes them. */
export function LeftHere() {
  const count = () => {
    const { messages, drafts } = countLeftBehind(storage);
    return messages + drafts;
  };
  const [remaining, setRemaining] = useState(count);
  const [isAsking, setAsking] = useState(false);
  if (remaining === 0) return null;
  const remove = async () => {
    deleteLeftBehind(storage);
    setRemaining(count());
  };
  return (
    <>
      <p class="muted small">{t("left-here.text", { count: remaining })}</p>
      <Button wide onClick={() => setAsking(true)}>
        {t("left-here.delete")}
      </Button>
      {isAsking && (
        <Confirm
          title={t("left-here.title")}
          text={t("left-here.question")}
          action={t("left-here.delete")}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
