import { t } from "../words/translate.ts";
import { Gate } from "./gate.tsx";

/** For a link that was used, is old, or was never ours. */
export function DeadLink({ text, to, action }: { text: string; to: string; action: string }) {
  return (
    <Gate title={t("sign-in.dead-link")} text={text}>
      <a class="button primary wide" href={to}>
        {action}
      </a>
    </Gate>
  );
}
