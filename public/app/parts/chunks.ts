import type { Area } from "../words/catalogues.ts";

type Chunk = { area: Area; load(): Promise<object> };

/** Code that is loaded later, by its file, with the area of its words. */
export const CHUNKS = {
  "rest.ts": { area: "rest", load: () => import("../rest.ts") },
  "admin/admin.tsx": { area: "admin", load: () => import("../admin/admin.tsx") },
  "parts/emoji/data.ts": { area: "main", load: () => import("./emoji/data.ts") },
  "parts/markdown/highlight.tsx": { area: "main", load: () => import("./markdown/highlight.tsx") },
  "profile/avatar-editor.tsx": {
    area: "profile",
    load: () => import("../profile/avatar-editor.tsx"),
  },
  "profile/profile.tsx": { area: "profile", load: () => import("../profile/profile.tsx") },
  "profile/security/security.tsx": {
    area: "security",
    load: () => import("../profile/security/security.tsx"),
  },
  "profile/sign-out.tsx": { area: "profile", load: () => import("../profile/sign-out.tsx") },
  "sign-in/proof-dialog.tsx": {
    area: "security",
    load: () => import("../sign-in/proof-dialog.tsx"),
  },
  "sign-in/signed-out.tsx": { area: "security", load: () => import("../sign-in/signed-out.tsx") },
  "webhooks/incoming/incoming-webhooks.tsx": {
    area: "webhooks",
    load: () => import("../webhooks/incoming/incoming-webhooks.tsx"),
  },
  "webhooks/outgoing/outgoing-webhooks.tsx": {
    area: "webhooks",
    load: () => import("../webhooks/outgoing/outgoing-webhooks.tsx"),
  },
} satisfies Record<string, Chunk>;
