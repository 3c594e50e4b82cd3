const WIDTHS = [62, 38, 74, 51, 66, 30];
import { say } from "../../words/say.ts";

/** The shape of a history that is on its way. */
export function TimelineSkeleton() {
  return (
    <div class="timeline" aria-busy="true">
      <p class="visually-hidden">{say("talk.loading")}</p>
      <ol>
        {WIDTHS.map((width) => (
          <li key={width} class="message head">
            <span class="skeleton" style={{ width: 36, height: 36, borderRadius: "50%" }} />
            <span>
              <span
                class="skeleton"
                style={{ display: "block", width: 120, height: 14, marginBottom: 8 }}
              />
              <span class="skeleton" style={{ display: "block", width: `${width}%`, height: 14 }} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
