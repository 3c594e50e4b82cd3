import { agoOf, fullTimeOf } from "./times.ts";

/** A time as in "20 min ago", with the whole date on hover and for screen readers. */
export function TimeAgo({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTimeOf(at)}>
      {agoOf(at)}
    </time>
  );
}
