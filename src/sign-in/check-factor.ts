import { and, eq, isNotNull, lt } from "drizzle-orm";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { totp } from "../database/schema.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { unsealValue } from "../platform/sealed.ts";
import type { SecondLogin } from "../wire/sign-in.ts";
import type { SignInDeps } from "./deps.ts";
import { checkAssertion } from "./passkey-assertion.ts";
import { countRecoveryCodes, useRecoveryCode } from "./recovery-codes.ts";

/** The purpose of sealed TOTP secrets, also used by `secrets rotate`. */
export const TOTP_SECRET = "TOTP secret";

/** Uses a checked factor up, in the transaction that relies on it. Throws as `checkFactor`. */
type UseFactor = (tx: Transaction) => Promise<void>;

/**
 * Checks a factor of an account. What takes time happens here; the function that it returns makes sure
 * that the factor counts once.
 * @param factor exactly one of its fields
 * @throws Refusal `invalid_code`, `code_used`, `invalid_passkey`, `validation`
 */
export async function checkFactor(
  deps: SignInDeps,
  request: Request,
  userId: string,
  factor: SecondLogin,
): Promise<UseFactor> {
  if (Object.values(factor).filter((value) => value !== undefined).length !== 1) {
    throw makeInvalid("", "Send one of totp, recovery_code and passkey.");
  }
  if (factor.totp !== undefined) return checkTotp(deps, userId, factor.totp);
  if (factor.passkey !== undefined) {
    const { user, use } = await checkAssertion(deps, request, factor.passkey, {
      userId,
      needsVerification: false,
    });
    if (user.id !== userId) throw new Refusal("invalid_passkey");
    return use;
  }
  const code = factor.recovery_code ?? "";
  return (tx) => spendRecoveryCode(tx, userId, code);
}

async function checkTotp(
  { database, readKey }: SignInDeps,
  userId: string,
  code: string,
): Promise<UseFactor> {
  const secret = await readTotpSecret(database.db, userId);
  const { findTotpStep } = await import("./totp-codes.ts");
  const step =
    secret === null ? null : findTotpStep(unsealValue(await readKey(), TOTP_SECRET, secret), code);
  if (step === null) throw makeWrongCode();
  return async (tx) => {
    // If one code is used concurrently, all uses but one fail here.
    const used = await tx
      .update(totp)
      .set({ lastStep: step })
      .where(and(eq(totp.userId, userId), lt(totp.lastStep, step), isNotNull(totp.secret)))
      .returning({ userId: totp.userId });
    if (used.length > 0) return;
    throw new Refusal("code_used", "That code was used already. Wait for the next one.");
  };
}

async function readTotpSecret(tx: Query, userId: string): Promise<Buffer | null> {
  const [row] = await tx.select({ secret: totp.secret }).from(totp).where(eq(totp.userId, userId));
  return row?.secret ?? null;
}

async function spendRecoveryCode(tx: Transaction, userId: string, code: string): Promise<void> {
  const outcome = await useRecoveryCode(tx, userId, code);
  if (outcome === "unknown") throw makeWrongCode();
  if (outcome === "used-before") {
    throw new Refusal("code_used", "That recovery code was used already. Take another one.");
  }
  const left = await countRecoveryCodes(tx, userId);
  await queueSecurityMail(tx, userId, "recovery_code_used", String(left));
}

export function makeWrongCode(): Refusal {
  return new Refusal("invalid_code", "That code is not right. Check it and try again.");
}
