import { and, eq, sql } from "drizzle-orm";
import { makeEndedCredentialRefusal } from "../authentication/credentials.ts";
import { lockSession, sessionIdOf } from "../authentication/sessions.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { identities, identityProviders, sessions, users } from "../database/schema.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { limitFailures } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { lockUser, requireUser, type UserRow } from "../users/users.ts";
import { REAUTHENTICATION_MINUTES } from "../wire/limits.ts";
import type { Proof, ProofWay } from "../wire/sign-in.ts";
import { checkFactor } from "./check-factor.ts";
import type { SignInDeps } from "./deps.ts";
import { sessionLimit } from "./limits.ts";
import { mayUseOwnSignIn } from "./lockout.ts";
import { lockVerifiedUser } from "./login.ts";
import { verifyPassword } from "./passwords.ts";
import { listFactors } from "./second-factor.ts";

/**
 * Requires that the caller has signed in or reauthenticated in this session within the last ten minutes,
 * because someone else may be using an unattended device. Routes declare whether they need it.
 * @throws Refusal `proof_needed` with the methods that count; `unauthenticated` if the session has ended
 */
export async function checkReauthentication(tx: Query, actor: Actor): Promise<void> {
  const [session] = await tx
    .select({
      isFresh: sql<boolean>`coalesce(${sessions.reauthenticatedAt} >
        clock_timestamp() - ${REAUTHENTICATION_MINUTES} * interval '1 minute', false)`,
    })
    .from(sessions)
    .where(eq(sessions.id, sessionIdOf(actor)));
  // The session may have ended since the caller was authorized.
  if (!session) throw makeEndedCredentialRefusal(false);
  if (!session.isFresh) throw await makeReauthenticationRefusal(tx, actor);
}

export async function makeReauthenticationRefusal(tx: Query, actor: Actor): Promise<Refusal> {
  const ways = await listReauthenticationMethods(tx, actor.id);
  return new Refusal("proof_needed", "Confirm first that it is you.", { ways });
}

export async function saveReauthentication(tx: Transaction, actor: Actor): Promise<void> {
  await tx
    .update(sessions)
    .set({ reauthenticatedAt: sql`clock_timestamp()` })
    .where(eq(sessions.id, sessionIdOf(actor)));
}

/**
 * Lists how a user can reauthenticate. If the second factor is on, only a factor counts, or a provider whose
 * sign-in includes one: a stolen password must not be enough to turn the second factor off.
 */
async function listReauthenticationMethods(tx: Query, userId: string): Promise<ProofWay[]> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (!user) return [];
  const isFactorOn = user.secondFactorAt !== null;
  const hasPassword =
    !isFactorOn && user.passwordHash !== null && (await mayUseOwnSignIn(tx, user));
  const identityRows = await tx
    .select({ id: identities.id })
    .from(identities)
    .innerJoin(identityProviders, eq(identityProviders.id, identities.providerId))
    .where(
      and(
        eq(identities.userId, userId),
        eq(identityProviders.isEnabled, true),
        isFactorOn ? eq(identityProviders.countsAsSecondFactor, true) : undefined,
        isFactorOn || hasPassword
          ? eq(identities.lacksAuthTime, false)
          : sql`(not ${identities.lacksAuthTime} or ${identityProviders.provesWithoutAuthTime})`,
      ),
    )
    .limit(1);
  return [
    ...(hasPassword ? (["password"] as const) : []),
    ...(isFactorOn ? await listFactors(tx, userId) : []),
    ...(identityRows.length > 0 ? (["provider"] as const) : []),
  ];
}

/** Whether a user can reauthenticate at a provider that does not send `auth_time`. */
export async function countsWithoutAuthTime(
  tx: Query,
  { provesWithoutAuthTime }: { provesWithoutAuthTime: boolean },
  user: UserRow,
): Promise<boolean> {
  if (!provesWithoutAuthTime || user.secondFactorAt !== null) return false;
  return user.passwordHash === null || !(await mayUseOwnSignIn(tx, user));
}

/**
 * Reauthenticates the caller's session by exactly one method. Failures are limited as at sign-in.
 * @throws Refusal `invalid_credentials` for a wrong password, `proof_needed` for a password where a
 * second factor is on, `rate_limited`, `unauthenticated`, and those of `checkFactor`
 */
export async function reauthenticate(
  deps: SignInDeps,
  actor: Actor,
  request: Request,
  { password, ...factor }: Proof,
): Promise<void> {
  const { db } = deps.database;
  const factors = Object.values(factor).filter((value) => value !== undefined);
  if (password !== undefined && factors.length > 0)
    throw makeFieldRefusal("", "Send exactly one field.");
  const limits = [sessionLimit(actor)];
  await limitFailures(db, limits, async () => {
    const user = await requireUser(db, { id: actor.id });
    if (password !== undefined && user.secondFactorAt !== null)
      throw await makeReauthenticationRefusal(db, actor);
    const use =
      password === undefined
        ? await checkOwnFactor(deps, request, user, factor)
        : await checkPassword(deps, user, password);
    await db.transaction(async (tx) => {
      const current = await lockUser(tx, { id: actor.id });
      await lockSession(tx, actor);
      // The second factor may have been turned on in the meantime.
      if (password !== undefined && current.secondFactorAt !== null) {
        throw await makeReauthenticationRefusal(tx, actor);
      }
      await use(tx);
      await saveReauthentication(tx, actor);
    });
  });
}

async function checkOwnFactor(
  deps: SignInDeps,
  request: Request,
  user: UserRow,
  factor: Omit<Proof, "password">,
): Promise<(tx: Transaction) => Promise<void>> {
  if (user.secondFactorAt === null) {
    throw new Refusal("invalid_code", "You have no second factor. Confirm with another method.");
  }
  return checkFactor(deps, request, user.id, factor);
}

async function checkPassword({ database: { db } }: SignInDeps, user: UserRow, password: string) {
  const hash = (await mayUseOwnSignIn(db, user)) ? user.passwordHash : null;
  const isCorrect = await verifyPassword(password, hash);
  const makeWrongPasswordRefusal = () =>
    new Refusal("invalid_credentials", "That is not your password.");
  if (!isCorrect || hash === null) throw makeWrongPasswordRefusal();
  return async (tx: Transaction) => {
    if (!(await lockVerifiedUser(tx, user.id, hash))) throw makeWrongPasswordRefusal();
  };
}
