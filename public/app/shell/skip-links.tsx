import { background } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { roomByName } from "../state/model/model.ts";
import { t } from "../words/translate.ts";

/** Links that skip the sidebar, first in the tab order. */
export function SkipLinks() {
  const here = background.value.route;
  if (here.name !== "room" || !roomByName(store.state.value, here.room)) {
    return (
      <div class="skips flex">
        <SkipLink to="main" label={t("skip.content")} />
      </div>
    );
  }
  return (
    <div class="skips flex">
      <SkipLink to=".timeline" label={t("skip.messages")} />
      <SkipLink to=".composer textarea" label={t("skip.writing")} />
    </div>
  );
}

function SkipLink({ to, label }: { to: string; label: string }) {
  return (
    <button
      type="button"
      class="button"
      onClick={() => (document.querySelector<HTMLElement>(to) ?? mainPart())?.focus()}
    >
      {label}
    </button>
  );
}

const mainPart = () => document.querySelector<HTMLElement>("main");
