import { NARROW, PHONE } from "../parts/use-media.ts";

/** The kind of this device, by which the service names it in drafts. */
export function nameDevice(): "phone" | "tablet" | "computer" {
  if (matchMedia(PHONE).matches) return "phone";
  const isTouched = matchMedia("(pointer: coarse)").matches;
  return isTouched && matchMedia(NARROW).matches ? "tablet" : "computer";
}
