import { mayUseOwnSignIn } from "../accounts/emergency.ts";
import { lockUser, lockVerifiedUser } from "../accounts/lock-user.ts";
import { findSignInLimits } from "../accounts/known-browsers.ts";
import { addressLimit } from "../accounts/login-limits.ts";
import { verifyPassword } from "../accounts/passwords.ts";
import { listFactors } from "../accounts/proof.ts";
import { type Caller, createSession, type SessionStart } from "../accounts/sessions.ts";
import { readUserByLogin, type UserRow } from "../accounts/users.ts";
import type { Transaction } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/request-info.ts";
import { countAttempt, forgiveAttempt } from "../rate-limits/rate-limits.ts";
import type { Factor, SecondLogin } from "../wire/sign-in.ts";
import {
  type Challenge,
  countTry,
  createLoginChallenge,
  requireLoginChallenge,
  useLoginChallenge,
} from "./challenges.ts";
import { checkFactor } from "./check-factor.ts";
import type { SignInDeps } from "./deps.ts";
import { checkAssertion, makeWrongPasskey } from "./passkey-assertion.ts";
import { rpIdOf } from "./passkey-site.ts";
import { findSessionLimit } from "./provider-limit.ts";
import type { PasskeyAssertion } from "../wire/sign-in.ts";

/** A session began: `token` is its cookie's value. */
export type SignedIn = { user: UserRow; token: string };
/** A second factor is on: `challenge` is the value of the cookie that waits for it. */
export type Waiting = { challenge: string; factors: Factor[] };

/**
 * Signs in with a username or email. Where a provider is exclusive, only emergency accounts can.
 * @throws Refusal `invalid_credentials`, after the same work for an unknown name, a wrong password, a
 * deactivated account and one that may not use its password; `rate_limited`
 */
export async function signIn(
  deps: SignInDeps,
  request: Request,
  params: { username: string; password: string },
): Promise<SignedIn | Waiting> {
  const { db } = deps.database;
  const caller = callerOf(request);
  const user = await readUserByLogin(db, params.username);
  // By id if the account exists, so that its username and email share one count.
  const account = user?.id ?? params.username.trim().toLowerCase();
  const { address } = caller;
  const target = { userId: user?.id ?? null, account, address };
  const limits = await findSignInLimits(deps, request, target);
  await countAttempt(db, limits);
  const mayUse = await mayUseOwnSignIn(db, { keepsPassword: user?.keepsPassword ?? false });
  const hash = user?.isActive && mayUse ? user.passwordHash : null;
  const isCorrect = await verifyPassword(params.password, hash);
  if (!isCorrect || !user || hash === null) throw wrongCredentials();
  const outcome = await db.transaction(async (tx) => {
    const current = await lockVerifiedUser(tx, user.id, hash);
    if (!current) throw wrongCredentials();
    return startSession(deps, tx, current, caller, { method: "password" });
  });
  await forgiveAttempt(db, limits);
  return outcome;
}

/**
 * Starts a session for a locked account, or the wait for its second factor.
 * @param start whether a second factor was part of it
 */
export async function startSession(
  { baseUrl }: Pick<SignInDeps, "baseUrl">,
  tx: Transaction,
  user: UserRow,
  caller: Caller,
  start: SessionStart,
): Promise<SignedIn | Waiting> {
  if (user.secondFactorAt === null || start.hasSecondFactor) {
    return { user, token: await createSession(tx, user.id, caller, start) };
  }
  const challenge = await createLoginChallenge(tx, user.id, caller.address, start.provider ?? null);
  return { challenge, factors: await listFactors(tx, user.id, rpIdOf(baseUrl)) };
}

/** The factors with which the waiting sign-in can be finished. @throws Refusal `challenge_expired` */
export async function readSecondStep(
  { database: { db }, challenge, baseUrl }: SignInDeps,
  request: Request,
): Promise<{ factors: Factor[] }> {
  const { address } = callerOf(request);
  const waiting = await requireLoginChallenge(db, challenge.read(request), address);
  return { factors: await listFactors(db, waiting.userId, rpIdOf(baseUrl)) };
}

/**
 * Finishes a sign-in with a second factor.
 * @throws Refusal `challenge_expired`, `rate_limited`, and those of `checkFactor`
 */
export async function finishSignIn(
  deps: SignInDeps,
  request: Request,
  factor: SecondLogin,
): Promise<SignedIn> {
  const { db } = deps.database;
  const caller = callerOf(request);
  const waiting = await countTry(db, deps.challenge.read(request), caller.address);
  const { userId } = waiting;
  const target = { userId, account: userId, address: caller.address };
  const limits = await findSignInLimits(deps, request, target);
  await countAttempt(db, limits);
  const useFactor = await checkFactor(deps, request, waiting.userId, factor);
  const signedIn = await db.transaction(async (tx) => {
    const user = await lockUser(tx, { id: waiting.userId });
    // A new password or a deactivation that commits first ends the wait.
    await useLoginChallenge(tx, waiting);
    if (!user.isActive) throw wrongCredentials();
    await useFactor(tx);
    return { user, token: await createSession(tx, user.id, caller, await startOf(tx, waiting)) };
  });
  await forgiveAttempt(db, limits);
  return signedIn;
}

/** How a session begins that waited for a second factor. */
async function startOf(tx: Transaction, waiting: Challenge): Promise<SessionStart> {
  const { providerId, idpSid } = waiting;
  if (providerId === null) return { method: "password", hasSecondFactor: true };
  const hours = await findSessionLimit(tx, providerId);
  return {
    method: "provider",
    hasSecondFactor: true,
    provider: { id: providerId, sid: idpSid, hours },
  };
}

/**
 * Signs in with a passkey alone, which is two factors: the device, and what unlocks it.
 * @throws Refusal `invalid_passkey`, `rate_limited`
 */
export async function signInWithPasskey(
  deps: SignInDeps,
  request: Request,
  passkey: PasskeyAssertion,
): Promise<SignedIn> {
  const { db } = deps.database;
  const caller = callerOf(request);
  const limits = [addressLimit(caller.address)];
  await countAttempt(db, limits);
  const demands = { userId: null, needsVerification: true };
  const { user: found, use } = await checkAssertion(deps, request, passkey, demands);
  const signedIn = await db.transaction(async (tx) => {
    const user = await lockUser(tx, { id: found.id });
    if (!user.isActive || !(await mayUseOwnSignIn(tx, user))) throw makeWrongPasskey();
    await use(tx);
    const start = { method: "passkey", hasSecondFactor: true } as const;
    return { user, token: await createSession(tx, user.id, caller, start) };
  });
  await forgiveAttempt(db, limits);
  return signedIn;
}

function wrongCredentials(): Refusal {
  return new Refusal(
    "invalid_credentials",
    "The username or password is wrong. Check both and try again.",
  );
}
