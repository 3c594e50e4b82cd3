import { useEffect } from "preact/hooks";
import { go } from "../app.ts";

/** Leads to another address of ours, in place of this one. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => go(to, true), [to]);
  return null;
}
