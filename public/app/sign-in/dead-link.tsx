import { say } from "../words/say.ts";
import { Gate } from "./gate.tsx";

/** For a link that was used, is old, or was never ours. */
export function DeadLink({ text, to, action }: { text: string; to: string; action: string }) {
  return (
    <Gate title={say("gate.dead-link")} text={text}>
      <a class="button primary wide" href={to}>
        {action}
      </a>
    </Gate>
  );
}
