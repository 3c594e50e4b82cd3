import { main } from "./main.ts";

export const de = {
  main,
  rest: () => import("./rest.ts"),
  forms: () => import("./forms.ts"),
  profile: () => import("./profile.ts"),
  security: () => import("./security.ts"),
  webhooks: () => import("./webhooks.ts"),
  admin: () => import("./admin.ts"),
};
