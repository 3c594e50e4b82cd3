import { Bell, Palette, ShieldCheck, UserRound } from "lucide";

/** The pages of the profile, with their icons. */
export const PROFILE_PAGES = [
  ["account", UserRound],
  ["appearance", Palette],
  ["notifications", Bell],
  ["security", ShieldCheck],
] as const;
