import type { ComponentChildren } from "preact";
import { formatShortAgo, fullTimeOf } from "./times.ts";

/**
 * A time as in "20 min ago", with the full date on hover and for screen readers.
 * @param children the text around the time, such as "last used 20 min ago"
 */
export function TimeAgo({ at, children }: { at: string; children?: ComponentChildren }) {
  return (
    <time dateTime={at} data-tooltip={fullTimeOf(at)}>
      {children ?? formatShortAgo(at)}
    </time>
  );
}
