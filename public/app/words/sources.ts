import type { Language } from "./language.ts";
import type { admin } from "./en/admin.ts";
import type { browse } from "./en/browse.ts";
import type { emoji } from "./en/emoji.ts";
import type { gate } from "./en/gate.ts";
import { main } from "./en/main.ts";
import type { overlays } from "./en/overlays.ts";
import type { profile } from "./en/profile.ts";
import type { room } from "./en/room.ts";
import type { webhooks } from "./en/webhooks.ts";

/** The English words: what the others are translations of, and what the types are read from. */
export type English = typeof main &
  typeof gate &
  typeof profile &
  typeof admin &
  typeof webhooks &
  typeof browse &
  typeof room &
  typeof emoji &
  typeof overlays;

export type Catalogue = Record<string, unknown>;

/** The words of each part of the client: they come as its code does, when they are needed. */
export const SOURCES = {
  main: {
    // It is bundled: English can be drawn at once.
    en: async () => main,
    de: () => import("./de/main.ts").then(({ main }): Catalogue => main),
    es: () => import("./es/main.ts").then(({ main }): Catalogue => main),
  },
  gate: {
    en: () => import("./en/gate.ts").then(({ gate }): Catalogue => gate),
    de: () => import("./de/gate.ts").then(({ gate }): Catalogue => gate),
    es: () => import("./es/gate.ts").then(({ gate }): Catalogue => gate),
  },
  profile: {
    en: () => import("./en/profile.ts").then(({ profile }): Catalogue => profile),
    de: () => import("./de/profile.ts").then(({ profile }): Catalogue => profile),
    es: () => import("./es/profile.ts").then(({ profile }): Catalogue => profile),
  },
  admin: {
    en: () => import("./en/admin.ts").then(({ admin }): Catalogue => admin),
    de: () => import("./de/admin.ts").then(({ admin }): Catalogue => admin),
    es: () => import("./es/admin.ts").then(({ admin }): Catalogue => admin),
  },
  webhooks: {
    en: () => import("./en/webhooks.ts").then(({ webhooks }): Catalogue => webhooks),
    de: () => import("./de/webhooks.ts").then(({ webhooks }): Catalogue => webhooks),
    es: () => import("./es/webhooks.ts").then(({ webhooks }): Catalogue => webhooks),
  },
  browse: {
    en: () => import("./en/browse.ts").then(({ browse }): Catalogue => browse),
    de: () => import("./de/browse.ts").then(({ browse }): Catalogue => browse),
    es: () => import("./es/browse.ts").then(({ browse }): Catalogue => browse),
  },
  emoji: {
    en: () => import("./en/emoji.ts").then(({ emoji }): Catalogue => emoji),
    de: () => import("./de/emoji.ts").then(({ emoji }): Catalogue => emoji),
    es: () => import("./es/emoji.ts").then(({ emoji }): Catalogue => emoji),
  },
  room: {
    en: () => import("./en/room.ts").then(({ room }): Catalogue => room),
    de: () => import("./de/room.ts").then(({ room }): Catalogue => room),
    es: () => import("./es/room.ts").then(({ room }): Catalogue => room),
  },
  overlays: {
    en: () => import("./en/overlays.ts").then(({ overlays }): Catalogue => overlays),
    de: () => import("./de/overlays.ts").then(({ overlays }): Catalogue => overlays),
    es: () => import("./es/overlays.ts").then(({ overlays }): Catalogue => overlays),
  },
} satisfies Record<string, Record<Language, () => Promise<Catalogue>>>;

export type Area = keyof typeof SOURCES;
