import { Elysia } from "elysia";
import { guard, isPublic } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import { readMe } from "../accounts/users.ts";
import type { Database } from "../database/connect.ts";
import { callerOf } from "../platform/request-info.ts";
import { LinkToken, Signup } from "../wire/requests.ts";
import { checkSignup, signUp } from "./signup.ts";

/** Making an account with a link. */
export function signupRoutes({ db }: Database, identifier: Identifier) {
  return new Elysia({ name: "signup" })
    .use(guard(identifier))
    .post("/api/signup/check", ({ body }) => checkSignup(db, body.token), {
      body: LinkToken,
      ...isPublic,
    })
    .post(
      "/api/signup",
      async ({ body, request, set }) => {
        const { user, token } = await signUp(db, body, callerOf(request).userAgent);
        set.headers["set-cookie"] = identifier.cookie.write(token);
        set.status = 201;
        return readMe(db, user.id);
      },
      { body: Signup, ...isPublic },
    );
}
