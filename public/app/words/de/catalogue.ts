import { main } from "./main.ts";

export const de = {
  main,
  rest: () => import("./rest.ts").then(({ rest }) => rest),
  forms: () => import("./forms.ts").then(({ forms }) => forms),
  profile: () => import("./profile.ts").then(({ profile }) => profile),
  security: () => import("./security.ts").then(({ security }) => security),
  webhooks: () => import("./webhooks.ts").then(({ webhooks }) => webhooks),
  admin: () => import("./admin.ts").then(({ admin }) => admin),
};
