import { eq } from "drizzle-orm";
import { type Caller, createSession, type SessionStart } from "../authentication/sessions.ts";
import type { Transaction } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/http/request-info.ts";
import { limitFailures } from "../rate-limits/rate-limits.ts";
import { lockUser, readUserByLogin, type UserRow } from "../users/users.ts";
import type { Factor, PasskeyAssertion, SecondLogin } from "../wire/sign-in.ts";
import {
  type Challenge,
  countCodeAttempt,
  createLoginChallenge,
  requireLoginChallenge,
  consumeLoginChallenge,
} from "./challenges.ts";
import { checkFactor } from "./check-factor.ts";
import type { SignInDeps } from "./deps.ts";
import { addressLimit, findSignInLimits } from "./limits.ts";
import { mayUseOwnSignIn } from "./lockout.ts";
import { checkAssertion, makeWrongPasskeyRefusal, rpIdOf } from "./passkeys.ts";
import { verifyPassword } from "./passwords.ts";
import { listFactors } from "./second-factor.ts";

/** `token` is the value of the session cookie. */
export type NewSession = { user: UserRow; token: string };

/** `challenge` is the value of the cookie of a sign-in that waits for its second factor. */
export type PendingSecondFactor = { challenge: string; factors: Factor[] };

/**
 * Signs in with a username or email. While a provider is exclusive, only emergency accounts can.
 * @throws Refusal `invalid_credentials` for an unknown name, a wrong password, a deactivated account or one
 * that may not use its password, all in the same time; `rate_limited`
 */
export async function signIn(
  deps: SignInDeps,
  request: Request,
  params: { username: string; password: string },
): Promise<NewSession | PendingSecondFactor> {
  const { db } = deps.database;
  const caller = callerOf(request);
  const user = await readUserByLogin(db, params.username);
  // The id if the account exists, so that its username and email share a limit.
  const account = user?.id ?? params.username.trim().toLowerCase();
  const { address } = caller;
  const target = { userId: user?.id ?? null, account, address };
  const limits = await findSignInLimits(deps, request, target);
  return limitFailures(db, limits, async () => {
    const mayUse = await mayUseOwnSignIn(db, { keepsPassword: user?.keepsPassword ?? false });
    const hash = user?.isActive && mayUse ? user.passwordHash : null;
    const isCorrect = await verifyPassword(params.password, hash);
    if (!isCorrect || !user || hash === null) throw makeWrongCredentialsRefusal();
    return db.transaction(async (tx) => {
      const current = await lockVerifiedUser(tx, user.id, hash);
      if (!current) throw makeWrongCredentialsRefusal();
      return startSession(deps, tx, current, caller, { method: "password" });
    });
  });
}

export async function startSession(
  { baseUrl }: Pick<SignInDeps, "baseUrl">,
  tx: Transaction,
  user: UserRow,
  caller: Caller,
  start: SessionStart,
): Promise<NewSession | PendingSecondFactor> {
  if (user.secondFactorAt === null || start.hasSecondFactor) {
    return { user, token: await createSession(tx, user.id, caller, start) };
  }
  const challenge = await createLoginChallenge(tx, user.id, caller.address, start.provider ?? null);
  return { challenge, factors: await listFactors(tx, user.id, rpIdOf(baseUrl)) };
}

/** @throws Refusal `challenge_expired` */
export async function readSecondStep(
  { database: { db }, challenge, baseUrl }: SignInDeps,
  request: Request,
): Promise<{ factors: Factor[] }> {
  const { address } = callerOf(request);
  const loginChallenge = await requireLoginChallenge(db, challenge.read(request), address);
  return { factors: await listFactors(db, loginChallenge.userId, rpIdOf(baseUrl)) };
}

/** @throws Refusal `challenge_expired`, `rate_limited`, and those of `checkFactor` */
export async function finishSignIn(
  deps: SignInDeps,
  request: Request,
  factor: SecondLogin,
): Promise<NewSession> {
  const { db } = deps.database;
  const caller = callerOf(request);
  const loginChallenge = await countCodeAttempt(db, deps.challenge.read(request), caller.address);
  const { userId } = loginChallenge;
  const target = { userId, account: userId, address: caller.address };
  const limits = await findSignInLimits(deps, request, target);
  return limitFailures(db, limits, async () => {
    const useFactor = await checkFactor(deps, request, loginChallenge.userId, factor);
    return db.transaction(async (tx) => {
      const user = await lockUser(tx, { id: loginChallenge.userId });
      // A new password or a deactivation that commits first deletes the challenge.
      await consumeLoginChallenge(tx, loginChallenge);
      if (!user.isActive) throw makeWrongCredentialsRefusal();
      await useFactor(tx);
      return {
        user,
        token: await createSession(tx, user.id, caller, await startOf(tx, loginChallenge)),
      };
    });
  });
}

async function startOf(tx: Transaction, loginChallenge: Challenge): Promise<SessionStart> {
  const { providerId, idpSid } = loginChallenge;
  if (providerId === null) return { method: "password", hasSecondFactor: true };
  const [row] = await tx
    .select({ hours: identityProviders.maxSessionHours })
    .from(identityProviders)
    .where(eq(identityProviders.id, providerId));
  const provider = { id: providerId, sid: idpSid, hours: row?.hours ?? FALLBACK_HOURS };
  return { method: "provider", hasSecondFactor: true, provider };
}

/**
 * Signs in with only a passkey, which counts as two factors: the device and what unlocks it.
 * @throws Refusal `invalid_passkey`, `rate_limited`
 */
export async function signInWithPasskey(
  deps: SignInDeps,
  request: Request,
  passkey: PasskeyAssertion,
): Promise<NewSession> {
  const { db } = deps.database;
  const caller = callerOf(request);
  const limits = [addressLimit(caller.address)];
  return limitFailures(db, limits, async () => {
    const checks = { userId: null, needsVerification: true };
    const { user: owner, use } = await checkAssertion(deps, request, passkey, checks);
    return db.transaction(async (tx) => {
      const user = await lockUser(tx, { id: owner.id });
      if (!user.isActive || !(await mayUseOwnSignIn(tx, user))) throw makeWrongPasskeyRefusal();
      await use(tx);
      const start = { method: "passkey", hasSecondFactor: true } as const;
      return { user, token: await createSession(tx, user.id, caller, start) };
    });
  });
}

function makeWrongCredentialsRefusal(): Refusal {
  return new Refusal(
    "invalid_credentials",
    "The username or password is wrong. Check both and try again.",
  );
}

/** The limit of a session whose provider was deleted during the sign-in. */
const FALLBACK_HOURS = 1;

/**
 * Locks an account after its password was verified. A reset or a deactivation may have committed while the
 * password was hashed, after which the old password must not work.
 * @param checkedHash the hash against which the password was verified
 * @returns null if the account is deactivated or has another password now
 */
export async function lockVerifiedUser(
  tx: Transaction,
  userId: string,
  checkedHash: string,
): Promise<UserRow | null> {
  const user = await lockUser(tx, { id: userId });
  return user.isActive && user.passwordHash === checkedHash ? user : null;
}
