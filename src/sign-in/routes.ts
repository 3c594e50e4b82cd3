import { Type as t } from "@sinclair/typebox";
import { asc, eq } from "drizzle-orm";
import { authenticateCallerIfAny } from "../authentication/guard.ts";
import { endSessions, sessionIdOf } from "../authentication/sessions.ts";
import type { Query } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";
import { isMailConfigured } from "../email/settings.ts";
import { limitedNetwork } from "../platform/networks.ts";
import { callerOf } from "../platform/http/request-info.ts";
import { countAttempt } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { Reply, route } from "../routing/route.ts";
import { readMe } from "../users/users.ts";
import { MAX_SESSIONS } from "../wire/limits.ts";
import { Me, Page } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import {
  ChangePassword,
  ForgotPassword,
  LinkToken,
  Login,
  ResetPassword,
} from "../wire/requests.ts";
import {
  ConfirmTotp,
  CreatedPasskey,
  CreatePasskey,
  LoggedOut,
  Logout,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  Proof,
  RecoveryCodes,
  SavedRecoveryCode,
  SecondFactorState,
  SecondLogin,
  SecondStep,
  SignInMethods,
  TotpConfirmed,
  TotpSecret,
  UpdatePasskey,
} from "../wire/sign-in.ts";
import { requireLoginChallenge } from "./challenges.ts";
import type { SignInDeps } from "./deps.ts";
import { rememberBrowser } from "./limits.ts";
import { arePasswordsOff } from "./lockout.ts";
import {
  finishSignIn,
  readSecondStep,
  type NewSession,
  signIn,
  signInWithPasskey,
} from "./login.ts";
import { changePassword, checkReset, requestReset, resetPassword } from "./new-password.ts";
import {
  arePasskeysPossible,
  createAssertionOptions,
  createPasskey,
  createPasskeyOptions,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "./passkeys.ts";
import { reauthenticate } from "./reauthentication.ts";
import { confirmRecoveryCode, readSecondFactor, renewRecoveryCodes } from "./second-factor.ts";
import { beginTotp, confirmTotp, removeTotp } from "./totp.ts";

type FindEndSession = (actor: Actor) => Promise<string | null>;

const FACTOR_REFUSALS = ["invalid_code", "code_used", "invalid_passkey", "rate_limited"] as const;

/** High, because each visit of the sign-in page requests a challenge, and an office may share an address. */
const MAX_OPTIONS = 600;

/** Sign-in with password, second factor and passkeys; reauthentication; new passwords. */
export const signInRoutes = (deps: SignInDeps, findEndSession: FindEndSession) => {
  const { database, authenticator, challenge, baseUrl } = deps;
  const { db } = database;
  const begin = async (request: Request, { user, token }: NewSession, headers: Headers) => {
    headers.append("set-cookie", authenticator.cookie.write(token));
    headers.append("set-cookie", challenge.clear());
    headers.append("set-cookie", await rememberBrowser(deps, request, user.id));
    return readMe(db, user.id);
  };
  return [
    route("GET /api/auth/methods", {
      access: "public",
      summary: "List the sign-in methods of this site",
      responses: { 200: SignInMethods },
      async handler() {
        const [areOff, providers, sends_mail] = await Promise.all([
          arePasswordsOff(db),
          listProviderNames(db),
          isMailConfigured(db),
        ]);
        return {
          passwords: !areOff,
          passkeys: arePasskeysPossible(baseUrl),
          providers,
          sends_mail,
        };
      },
    }),
    route("POST /api/auth/login", {
      access: "public",
      summary: "Sign in with a username or email",
      description: `With a second factor the response is 202, and \`POST /api/auth/login/second\` must follow within five minutes. An account has at most ${MAX_SESSIONS} sessions. A further sign-in ends the least recently seen one.`,
      body: Login,
      responses: { 200: Me, 202: SecondStep },
      errors: ["invalid_credentials", "rate_limited"],
      async handler({ body, request, headers }) {
        const outcome = await signIn(deps, request, body);
        if ("token" in outcome) {
          headers.set("set-cookie", authenticator.cookie.write(outcome.token));
          headers.append("set-cookie", await rememberBrowser(deps, request, outcome.user.id));
          return readMe(db, outcome.user.id);
        }
        headers.set("set-cookie", challenge.write(outcome.challenge));
        return new Reply(202, { factors: outcome.factors });
      },
    }),
    route("GET /api/auth/login/second", {
      access: "public",
      summary: "List the factors that can finish the sign-in of this browser",
      responses: { 200: SecondStep },
      errors: ["challenge_expired"],
      handler: ({ request }) => readSecondStep(deps, request),
    }),
    route("POST /api/auth/login/second", {
      access: "public",
      summary: "Finish a sign-in with a second factor",
      description: "Send exactly one field. A sign-in ends after five wrong codes.",
      body: SecondLogin,
      responses: { 200: Me },
      errors: ["challenge_expired", ...FACTOR_REFUSALS],
      handler: async ({ body, request, headers }) =>
        begin(request, await finishSignIn(deps, request, body), headers),
    }),
    route("POST /api/auth/passkey/options", {
      access: "public",
      summary: "Get the options with which a browser uses a passkey",
      description:
        "During a sign-in that waits for its second factor, and with a session, the options name the account's passkeys; else they name none. The challenge works once, within five minutes.",
      responses: { 200: PasskeyRequestOptions },
      errors: ["invalid_token", "rate_limited"],
      async handler({ request }) {
        const { address } = callerOf(request);
        const key = `passkey-options:${limitedNetwork(address)}`;
        await countAttempt(db, [{ key, max: MAX_OPTIONS, minutes: 15 }]);
        return createAssertionOptions(deps, await findKnownUser(deps, request, address));
      },
    }),
    route("POST /api/auth/passkey", {
      access: "public",
      summary: "Sign in with a passkey alone",
      description: "The authenticator must have verified its user (WebAuthn, 1.2).",
      body: t.Object({ passkey: PasskeyAssertion }),
      responses: { 200: Me },
      errors: ["invalid_passkey", "rate_limited"],
      handler: async ({ body, request, headers }) =>
        begin(request, await signInWithPasskey(deps, request, body.passkey), headers),
    }),
    route("POST /api/auth/logout", {
      access: "person",
      summary: "Sign out",
      body: t.Optional(Logout),
      responses: { 204: null, 200: LoggedOut },
      async handler({ actor, body, headers }) {
        const isEverywhere = body?.everywhere ?? false;
        const redirect = isEverywhere ? await findEndSession(actor) : null;
        const ends = isEverywhere ? {} : { only: sessionIdOf(actor), isSignOut: true };
        await db.transaction((tx) => endSessions(tx, actor.id, ends));
        headers.set("set-cookie", authenticator.cookie.clear());
        return isEverywhere ? new Reply(200, { redirect }) : new Reply(204, undefined);
      },
    }),
    route("POST /api/auth/proof", {
      access: "person",
      summary: "Reauthenticate, for changes in the next ten minutes",
      description: "Send exactly one field. With a second factor a password is not enough.",
      body: Proof,
      responses: { 204: null },
      errors: ["invalid_credentials", "proof_needed", ...FACTOR_REFUSALS],
      handler: ({ actor, request, body }) => reauthenticate(deps, actor, request, body),
    }),
    route("PUT /api/auth/me/password", {
      access: "person",
      reauthentication: "by-handler",
      summary: "Change the caller's password and end all other sessions",
      description:
        "Without a second factor the current password counts as reauthentication for this call.",
      body: ChangePassword,
      responses: { 204: null },
      errors: ["rate_limited"],
      handler: ({ actor, body }) => changePassword(db, actor, body),
    }),
    route("POST /api/auth/forgot-password", {
      access: "public",
      summary: "Request an email with a link to choose a new password",
      description: "The response does not reveal whether an account has this address.",
      body: ForgotPassword,
      responses: { 202: t.Object({ sends_mail: t.Boolean({ description: "Email is set up" }) }) },
      handler: ({ body, request }) => requestReset(db, body.email, callerOf(request).address),
    }),
    route("POST /api/auth/reset-password/check", {
      access: "public",
      summary: "Get the account whose password a link resets",
      body: LinkToken,
      responses: { 200: t.Object({ username: t.String() }) },
      errors: ["link_not_found", "token_expired"],
      handler: ({ body }) => checkReset(db, body.token),
    }),
    route("POST /api/auth/reset-password", {
      access: "public",
      summary: "Choose a new password with a link and end all sessions",
      body: ResetPassword,
      responses: { 204: null },
      errors: ["link_not_found", "token_expired"],
      handler: ({ body }) => resetPassword(db, body),
    }),
  ];
};

async function findKnownUser(
  { database, authenticator, challenge }: SignInDeps,
  request: Request,
  address: string,
): Promise<string | null> {
  const token = challenge.read(request);
  const loginChallenge =
    token === null
      ? null
      : await requireLoginChallenge(database.db, token, address).catch(() => null);
  if (loginChallenge) return loginChallenge.userId;
  const actor = await authenticateCallerIfAny(authenticator, request);
  return actor?.sessionId ? actor.id : null;
}

const REMOVAL_REFUSALS = ["not_found", "last_factor", "no_emergency_account"] as const;

export const factorRoutes = (deps: SignInDeps) => {
  const { db } = deps.database;
  return [
    route("GET /api/auth/me/second-factor", {
      access: "person",
      summary: "Get the caller's second factor",
      responses: { 200: SecondFactorState },
      handler: ({ actor }) => readSecondFactor(db, actor),
    }),
    route("POST /api/auth/me/totp", {
      access: "person",
      reauthentication: "required",
      summary: "Start to set up an authenticator app",
      description:
        "Only this response contains the secret. The current app stays in use until the new one is confirmed.",
      responses: { 200: TotpSecret },
      handler: ({ actor }) => beginTotp(deps, actor),
    }),
    route("POST /api/auth/me/totp/confirm", {
      access: "person",
      summary: "Confirm an authenticator app with one of its codes",
      description:
        "The first factor returns recovery codes. It turns on when one of them is sent to `POST /api/auth/me/recovery-codes/saved`.",
      body: ConfirmTotp,
      responses: { 200: TotpConfirmed },
      errors: ["invalid_code", "rate_limited"],
      handler: ({ actor, body }) => confirmTotp(deps, actor, body.code),
    }),
    route("DELETE /api/auth/me/totp", {
      access: "person",
      reauthentication: "required",
      summary: "Remove the authenticator app and end all other sessions",
      responses: { 204: null },
      errors: REMOVAL_REFUSALS,
      handler: ({ actor }) => removeTotp(deps, actor),
    }),
    route("POST /api/auth/me/recovery-codes", {
      access: "person",
      reauthentication: "required",
      summary: "Replace the recovery codes and end all other sessions",
      responses: { 200: RecoveryCodes },
      errors: ["second_factor_off"],
      handler: async ({ actor }) => ({ recovery_codes: await renewRecoveryCodes(db, actor) }),
    }),
    route("POST /api/auth/me/recovery-codes/saved", {
      access: "person",
      summary: "Turn on a pending second factor with one of its recovery codes",
      description: "This does not use up the code. All other sessions end.",
      body: SavedRecoveryCode,
      responses: { 204: null },
      errors: ["invalid_code", "second_factor_off", "rate_limited"],
      handler: ({ actor, body }) => confirmRecoveryCode(db, actor, body.recovery_code),
    }),
    route("POST /api/auth/me/passkeys/options", {
      access: "person",
      reauthentication: "required",
      summary: "Get the options with which a browser creates a passkey",
      responses: { 200: PasskeyCreationOptions },
      errors: ["too_many_passkeys"],
      handler: ({ actor }) => createPasskeyOptions(deps, actor),
    }),
    route("POST /api/auth/me/passkeys", {
      access: "person",
      reauthentication: "required",
      summary: "Add a passkey",
      description:
        "The first factor returns recovery codes. It turns on when one of them is sent to `POST /api/auth/me/recovery-codes/saved`.",
      body: CreatePasskey,
      responses: { 201: CreatedPasskey },
      errors: ["invalid_passkey", "passkey_known", "too_many_passkeys"],
      handler: ({ actor, request, body }) => createPasskey(deps, actor, request, body),
    }),
    route("GET /api/auth/me/passkeys", {
      access: "person",
      summary: "List the caller's passkeys",
      query: PageQuery,
      responses: { 200: Page(Passkey) },
      handler: ({ actor, query }) => listPasskeys(db, deps.baseUrl, actor.id, query),
    }),
    route("PATCH /api/auth/me/passkeys/:id", {
      access: "person",
      summary: "Rename a passkey",
      body: UpdatePasskey,
      responses: { 200: Passkey },
      errors: ["not_found"],
      handler: ({ actor, params, body }) => renamePasskey(deps, actor, params.id, body.name),
    }),
    route("DELETE /api/auth/me/passkeys/:id", {
      access: "person",
      reauthentication: "required",
      summary: "Remove a passkey and end all other sessions",
      responses: { 204: null },
      errors: [...REMOVAL_REFUSALS, "last_way_in"],
      handler: ({ actor, params }) => removePasskey(deps, actor, params.id),
    }),
  ];
};

async function listProviderNames(tx: Query): Promise<{ slug: string; name: string }[]> {
  return tx
    .select({ slug: identityProviders.slug, name: identityProviders.name })
    .from(identityProviders)
    .where(eq(identityProviders.isEnabled, true))
    .orderBy(asc(identityProviders.name), asc(identityProviders.slug));
}
