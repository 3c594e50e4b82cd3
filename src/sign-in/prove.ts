import { mayUseOwnSignIn } from "../accounts/emergency.ts";
import { lockSession, lockUser, lockVerifiedUser } from "../accounts/lock-user.ts";
import { sessionLimit } from "../accounts/login-limits.ts";
import { verifyPassword } from "../accounts/passwords.ts";
import { makeProofNeeded, saveProof } from "../accounts/proof.ts";
import { requireUser, type UserRow } from "../accounts/users.ts";
import type { Transaction } from "../database/connect.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { countAttempt, forgiveAttempt } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import type { Proof } from "../wire/sign-in.ts";
import { checkFactor } from "./check-factor.ts";
import type { SignInDeps } from "./deps.ts";

/**
 * Notes for this session that the caller has proved who they are. Wrong proofs are limited as sign-ins.
 * @param proof exactly one of its fields
 * @throws Refusal `invalid_credentials` for a wrong password, `proof_needed` for a password where a
 * second factor is on, `rate_limited`, `unauthenticated`, and
 * those of `checkFactor`
 */
export async function proveIdentity(
  deps: SignInDeps,
  actor: Actor,
  request: Request,
  { password, ...factor }: Proof,
): Promise<void> {
  const { db } = deps.database;
  const given = Object.values(factor).filter((value) => value !== undefined);
  if (password !== undefined && given.length > 0) throw makeInvalid("", "Send one proof.");
  const limits = [sessionLimit(actor)];
  await countAttempt(db, limits);
  const user = await requireUser(db, { id: actor.id });
  if (password !== undefined && user.secondFactorAt !== null)
    throw await makeProofNeeded(db, actor);
  const use =
    password === undefined
      ? await checkOwnFactor(deps, request, user, factor)
      : await checkPassword(deps, user, password);
  await db.transaction(async (tx) => {
    const current = await lockUser(tx, { id: actor.id });
    await lockSession(tx, actor);
    // The second factor may have been turned on meanwhile.
    if (password !== undefined && current.secondFactorAt !== null) {
      throw await makeProofNeeded(tx, actor);
    }
    await use(tx);
    await saveProof(tx, actor);
  });
  await forgiveAttempt(db, limits);
}

async function checkOwnFactor(
  deps: SignInDeps,
  request: Request,
  user: UserRow,
  factor: Omit<Proof, "password">,
): Promise<(tx: Transaction) => Promise<void>> {
  if (user.secondFactorAt === null) {
    throw new Refusal("invalid_code", "You have no second factor. Use another way.");
  }
  return checkFactor(deps, request, user.id, factor);
}

async function checkPassword({ database: { db } }: SignInDeps, user: UserRow, password: string) {
  const hash = (await mayUseOwnSignIn(db, user)) ? user.passwordHash : null;
  const isCorrect = await verifyPassword(password, hash);
  const wrong = () => new Refusal("invalid_credentials", "That is not your password.");
  if (!isCorrect || hash === null) throw wrong();
  return async (tx: Transaction) => {
    if (!(await lockVerifiedUser(tx, user.id, hash))) throw wrong();
  };
}
