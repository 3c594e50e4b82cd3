import { Bell, Palette, ShieldCheck, UserRound } from "lucide";

export const PROFILE_PAGES = [
  ["account", UserRound],
  ["appearance", Palette],
  ["notifications", Bell],
  ["security", ShieldCheck],
] as const;
