import { NARROW, PHONE } from "../parts/use-media.ts";

/** What kind of device this is, as drafts name it on the service. */
export function nameDevice(): "phone" | "tablet" | "computer" {
  if (matchMedia(PHONE).matches) return "phone";
  const isTouched = matchMedia("(pointer: coarse)").matches;
  return isTouched && matchMedia(NARROW).matches ? "tablet" : "computer";
}
