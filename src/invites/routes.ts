import { rememberBrowser } from "../sign-in/limits.ts";
import { readMe } from "../users/users.ts";
import { callerOf } from "../platform/http/request-info.ts";
import { route } from "../routing/route.ts";
import { Me } from "../wire/models.ts";
import type { SignInDeps } from "../sign-in/deps.ts";
import { LinkToken, Signup, SignupLink } from "../wire/requests.ts";
import { checkSignup, signUp } from "./signup.ts";

export const signupRoutes = (deps: SignInDeps) => {
  const { db } = deps.database;
  return [
    route("POST /api/signup/check", {
      access: "public",
      summary: "Check a signup link",
      body: LinkToken,
      responses: { 200: SignupLink },
      errors: ["link_not_found", "link_expired"],
      handler: ({ body }) => checkSignup(db, body.token),
    }),
    route("POST /api/signup", {
      access: "public",
      summary: "Create an account with a signup link and sign in",
      body: Signup,
      responses: { 201: Me },
      errors: ["link_not_found", "link_expired", "username_taken", "email_taken", "passwords_off"],
      async handler({ body, request, headers }) {
        const { user, token } = await signUp(db, body, callerOf(request));
        headers.set("set-cookie", deps.authenticator.cookie.write(token));
        headers.append("set-cookie", await rememberBrowser(deps, request, user.id));
        return readMe(db, user.id);
      },
    }),
  ];
};
