import { and, eq, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import {
  identities,
  identityProviders,
  passkeys,
  recoveryCodes,
  sessions,
  totp,
  users,
} from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { PROOF_MINUTES } from "../wire/limits.ts";
import type { Factor, ProofWay } from "../wire/sign-in.ts";
import { mayUseOwnSignIn } from "./emergency.ts";
import { sessionIdOf } from "./sessions.ts";
import type { UserRow } from "./users.ts";

/**
 * Refuses a change of who has access unless the caller has reauthenticated in this session within the
 * last minutes: someone else may be sitting at their desk. Routes declare whether they need it.
 * @throws Refusal `proof_needed` with the ways
 */
export async function checkProof(tx: Query, actor: Actor): Promise<void> {
  const [session] = await tx
    .select({
      isFresh: sql<boolean>`coalesce(${sessions.proofAt} >
        clock_timestamp() - ${PROOF_MINUTES} * interval '1 minute', false)`,
    })
    .from(sessions)
    .where(eq(sessions.id, sessionIdOf(actor)));
  if (!session?.isFresh) throw await makeProofNeeded(tx, actor);
}

/** The refusal of a change, or of a proof that does not count, with the ways that do. */
export async function makeProofNeeded(tx: Query, actor: Actor): Promise<Refusal> {
  const ways = await listProofWays(tx, actor.id);
  return new Refusal("proof_needed", "Confirm first that it is you.", { ways });
}

/** Notes that the caller has proved who they are. */
export async function saveProof(tx: Transaction, actor: Actor): Promise<void> {
  await tx
    .update(sessions)
    .set({ proofAt: sql`clock_timestamp()` })
    .where(eq(sessions.id, sessionIdOf(actor)));
}

/**
 * The ways in which an account's user can prove who they are. Where a second factor is on, only a factor
 * is a proof, or a provider whose sign-in counts as one: the password alone would remove what protects
 * from its thief.
 */
async function listProofWays(tx: Query, userId: string): Promise<ProofWay[]> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (!user) return [];
  const isFactorOn = user.secondFactorAt !== null;
  const hasPassword =
    !isFactorOn && user.passwordHash !== null && (await mayUseOwnSignIn(tx, user));
  const connected = await tx
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
    ...(connected.length > 0 ? (["provider"] as const) : []),
  ];
}

/** Whether a sign-in at a provider that does not say when it was is a proof of someone. */
export async function mayProveUndated(
  tx: Query,
  { provesWithoutAuthTime }: { provesWithoutAuthTime: boolean },
  user: UserRow,
): Promise<boolean> {
  if (!provesWithoutAuthTime || user.secondFactorAt !== null) return false;
  return user.passwordHash === null || !(await mayUseOwnSignIn(tx, user));
}

const findFactors = prepareQuery(
  "list_factors",
  (db, params: Params<{ userId: string; rpId: string | null }>) =>
    db
      .select({
        totp: sql<boolean>`exists (select from ${totp}
          where ${totp.userId} = ${params.userId} and ${totp.confirmedAt} is not null)`,
        passkey: sql<boolean>`exists (select from ${passkeys}
          where ${passkeys.userId} = ${params.userId}
          and ${passkeys.rpId} = coalesce(${params.rpId}, ${passkeys.rpId}))`,
        code: sql<boolean>`exists (select from ${recoveryCodes}
          where ${recoveryCodes.userId} = ${params.userId} and ${recoveryCodes.usedAt} is null)`,
      })
      .from(sql`(select 1) as one`),
);

/**
 * The factors that an account has set up, whether they are on or not.
 * @param rpId leaves out passkeys that were made for another host
 */
export async function listFactors(tx: Query, userId: string, rpId?: string): Promise<Factor[]> {
  const [has] = await findFactors(tx, { userId, rpId: rpId ?? null });
  return [
    ...(has?.totp ? (["totp"] as const) : []),
    ...(has?.passkey ? (["passkey"] as const) : []),
    ...(has?.code ? (["recovery_code"] as const) : []),
  ];
}
