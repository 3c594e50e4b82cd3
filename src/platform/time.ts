import { invalid } from "./refusal.ts";

/**
 * A time that was given as RFC 3339 has it, whose form is checked already.
 * @param path where it stood, for the refusal
 * @throws Refusal `validation` for a day that no calendar has
 */
export function timeOf(text: string, path: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalid(path, "There is no such time.");
  return time;
}
