import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import type { SecondLogin } from "../wire/sign-in.ts";
import type { SignInDeps } from "./deps.ts";
import { checkAssertion } from "./passkeys.ts";
import type { ConsumeFactor } from "./second-factor.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { checkTotp } from "./totp.ts";

/**
 * Checks a factor of an account, outside a transaction because it takes time.
 * @param factor has exactly one field
 * @returns the function that marks the factor as used
 * @throws Refusal `invalid_code`, `code_used`, `invalid_passkey`, `validation`
 */
export async function checkFactor(
  deps: SignInDeps,
  request: Request,
  userId: string,
  factor: SecondLogin,
): Promise<ConsumeFactor> {
  if (Object.values(factor).filter((value) => value !== undefined).length !== 1) {
    throw makeFieldRefusal("", "Send exactly one of totp, recovery_code and passkey.");
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
