import { arePasswordsOff } from "../accounts/emergency.ts";
import { identifyCallerIfAny } from "../accounts/identify.ts";
import { rememberBrowser } from "../accounts/known-browsers.ts";
import { endSessions, sessionIdOf } from "../accounts/sessions.ts";
import { readMe } from "../accounts/users.ts";
import { callerOf } from "../platform/request-info.ts";
import { countAttempt, networkOf } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { Answer, route } from "../routing/route.ts";
import { Type as t } from "@sinclair/typebox";
import { MAX_SESSIONS } from "../wire/limits.ts";
import { Me } from "../wire/models.ts";
import { Login } from "../wire/requests.ts";
import {
  LoggedOut,
  Logout,
  PasskeyAssertion,
  PasskeyRequestOptions,
  Proof,
  SecondLogin,
  SecondStep,
  SignInMethods,
} from "../wire/sign-in.ts";
import { requireLoginChallenge } from "./challenges.ts";
import type { SignInDeps } from "./deps.ts";
import { finishSignIn, readSecondStep, type SignedIn, signIn, signInWithPasskey } from "./login.ts";
import { createAssertionOptions } from "./passkey-assertion.ts";
import { arePasskeysPossible } from "./passkey-site.ts";
import { listProviderNames } from "./provider-names.ts";
import { proveIdentity } from "./prove.ts";

/** Finds the address at which the session's provider ends its own; null for a session that no provider began. */
type FindEndSession = (actor: Actor) => Promise<string | null>;

const FACTOR_REFUSALS = ["invalid_code", "code_used", "invalid_passkey", "rate_limited"] as const;
/** Each page of the sign-in requests a challenge, and all of an office may share an address. */
const MAX_OPTIONS = 600;

/** Signing in: password, second factor, passkeys, and proofs of who the caller is. */
export const signInRoutes = (deps: SignInDeps, findEndSession: FindEndSession) => {
  const { database, identifier, challenge, baseUrl } = deps;
  const { db } = database;
  const begin = async (request: Request, { user, token }: SignedIn, headers: Headers) => {
    headers.append("set-cookie", identifier.cookie.write(token));
    headers.append("set-cookie", challenge.clear());
    headers.append("set-cookie", await rememberBrowser(deps, request, user.id));
    return readMe(db, user.id);
  };
  return [
    route("GET /api/auth/methods", {
      access: "public",
      summary: "Get the ways to sign in here",
      answers: { 200: SignInMethods },
      async run() {
        const [areOff, providers] = await Promise.all([arePasswordsOff(db), listProviderNames(db)]);
        return { passwords: !areOff, passkeys: arePasskeysPossible(baseUrl), providers };
      },
    }),
    route("POST /api/auth/login", {
      access: "public",
      summary: "Sign in with a username or email",
      description: `Where a second factor is on, the answer is 202, and \`POST /api/auth/login/second\` finishes within five minutes. An account has at most ${MAX_SESSIONS} sessions. Signing in beyond that ends the least recently seen one.`,
      body: Login,
      answers: { 200: Me, 202: SecondStep },
      errors: ["invalid_credentials", "rate_limited"],
      async run({ body, request, headers }) {
        const outcome = await signIn(deps, request, body);
        if ("token" in outcome) {
          headers.set("set-cookie", identifier.cookie.write(outcome.token));
          headers.append("set-cookie", await rememberBrowser(deps, request, outcome.user.id));
          return readMe(db, outcome.user.id);
        }
        headers.set("set-cookie", challenge.write(outcome.challenge));
        return new Answer(202, { factors: outcome.factors });
      },
    }),
    route("GET /api/auth/login/second", {
      access: "public",
      summary: "Get the factors with which the sign-in that this browser began is finished",
      answers: { 200: SecondStep },
      errors: ["challenge_expired"],
      run: ({ request }) => readSecondStep(deps, request),
    }),
    route("POST /api/auth/login/second", {
      access: "public",
      summary: "Finish a sign-in with a second factor",
      description: "Send exactly one of the fields. A sign-in ends after five wrong ones.",
      body: SecondLogin,
      answers: { 200: Me },
      errors: ["challenge_expired", ...FACTOR_REFUSALS],
      run: async ({ body, request, headers }) =>
        begin(request, await finishSignIn(deps, request, body), headers),
    }),
    route("POST /api/auth/passkey/options", {
      access: "public",
      summary: "Get what a browser needs to use a passkey",
      description:
        "With a sign-in that waits for its second factor, or a session, the options name the account's passkeys; else they name none. The answer works once, within five minutes.",
      answers: { 200: PasskeyRequestOptions },
      errors: ["invalid_token", "rate_limited"],
      async run({ request }) {
        const { address } = callerOf(request);
        const key = `passkey-options:${networkOf(address)}`;
        await countAttempt(db, [{ key, max: MAX_OPTIONS, minutes: 15 }]);
        return createAssertionOptions(deps, await findKnownUser(deps, request, address));
      },
    }),
    route("POST /api/auth/passkey", {
      access: "public",
      summary: "Sign in with a passkey alone",
      description: "The authenticator must have verified its user (WebAuthn, 1.2).",
      body: t.Object({ passkey: PasskeyAssertion }),
      answers: { 200: Me },
      errors: ["invalid_passkey", "rate_limited"],
      run: async ({ body, request, headers }) =>
        begin(request, await signInWithPasskey(deps, request, body.passkey), headers),
    }),
    route("POST /api/auth/logout", {
      access: "person",
      summary: "Sign out",
      body: t.Optional(Logout),
      answers: { 204: null, 200: LoggedOut },
      async run({ actor, body, headers }) {
        const isEverywhere = body?.everywhere ?? false;
        const redirect = isEverywhere ? await findEndSession(actor) : null;
        const ends = isEverywhere ? {} : { only: sessionIdOf(actor), isSignOut: true };
        await db.transaction((tx) => endSessions(tx, actor.id, ends));
        headers.set("set-cookie", identifier.cookie.clear());
        return isEverywhere ? new Answer(200, { redirect }) : new Answer(204, undefined);
      },
    }),
    route("POST /api/auth/proof", {
      access: "person",
      summary: "Prove who the caller is, for changes of the next ten minutes",
      description:
        "Send exactly one of the fields. Where a second factor is on, a password is not a proof.",
      body: Proof,
      answers: { 204: null },
      errors: ["invalid_credentials", "proof_needed", ...FACTOR_REFUSALS],
      run: ({ actor, request, body }) => proveIdentity(deps, actor, request, body),
    }),
  ];
};

/** The account whose sign-in waits, or that is signed in. */
async function findKnownUser(
  { database, identifier, challenge }: SignInDeps,
  request: Request,
  address: string,
): Promise<string | null> {
  const token = challenge.read(request);
  const waiting =
    token === null
      ? null
      : await requireLoginChallenge(database.db, token, address).catch(() => null);
  if (waiting) return waiting.userId;
  const actor = await identifyCallerIfAny(identifier, request);
  return actor?.sessionId ? actor.id : null;
}
