import { getDateFormat } from "../words/intl.ts";

/**
 * The hours by which clocks in a time zone are ahead of this device's, negative if they are behind.
 * @returns null for a time zone that the browser does not know
 */
export function hoursAhead(timeZone: string, at: Date): number | null {
  try {
    return (offsetOf(timeZone, at) + at.getTimezoneOffset()) / 60;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The minutes by which a time zone is ahead of UTC. @throws RangeError */
function offsetOf(timeZone: string, at: Date): number {
  const format = getDateFormat("en", { timeZone, timeZoneName: "longOffset" });
  const { value = "" } = format.formatToParts(at).find(({ type }) => type === "timeZoneName") ?? {};
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d+):(\d+)/.exec(value) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
