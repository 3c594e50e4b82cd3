import type { ComponentChildren } from "preact";
import { t } from "../words/translate.ts";

const WIDTHS = [62, 38, 74, 51, 66, 30];

/** The placeholder of messages that are loading, above those that are there already. */
export function TimelineSkeleton({ children }: { children?: ComponentChildren }) {
  return (
    <div class="timeline" aria-busy="true">
      <p class="visually-hidden">{t("timeline.loading")}</p>
      <ol>
        {WIDTHS.map((width) => (
          <li key={width} class="message head">
            <span class="skeleton" style={{ width: "36px", height: "36px", borderRadius: "50%" }} />
            <span>
              <span
                class="skeleton"
                style={{ display: "block", width: "120px", height: "14px", marginBottom: "8px" }}
              />
              <span
                class="skeleton"
                style={{ display: "block", width: `${width}%`, height: "14px" }}
              />
            </span>
          </li>
        ))}
        {children}
      </ol>
    </div>
  );
}
