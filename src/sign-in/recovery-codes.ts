import { and, eq, isNull, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { recoveryCodes } from "../database/schema.ts";
import { hashToken } from "../platform/secrets.ts";
import { RECOVERY_CODES } from "../wire/limits.ts";

/** Without letters and digits that look alike; 32 of them, so five bits each. */
const ALPHABET = "023456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH = 16;

/** A code of 80 random bits: `k3m9-…` in four groups. */
function generateCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  const letters = Array.from(random, (n) => ALPHABET[n % ALPHABET.length]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** As it is hashed: people leave out dashes, and write `o` for `0`. */
function foldCode(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replaceAll("o", "0");
}

const hashCode = (code: string) => hashToken(foldCode(code));

/** Replaces an account's codes. @returns the new ones, of which only hashes are stored */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, generateCode);
  await deleteRecoveryCodes(tx, userId);
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: hashCode(code) })));
  return codes;
}

export async function deleteRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

const matchesCode = (userId: string, code: string) =>
  and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashCode(code)));

/** Whether it is one of the account's codes that was not used. */
export async function hasRecoveryCode(tx: Query, userId: string, code: string): Promise<boolean> {
  const found = await tx
    .select({ usedAt: recoveryCodes.usedAt })
    .from(recoveryCodes)
    .where(and(matchesCode(userId, code), isNull(recoveryCodes.usedAt)));
  return found.length > 0;
}

/** Uses a code up, once even if it is used concurrently. */
export async function useRecoveryCode(
  tx: Query,
  userId: string,
  code: string,
): Promise<"used" | "used-before" | "unknown"> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`clock_timestamp()` })
    .where(and(matchesCode(userId, code), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId });
  if (used.length > 0) return "used";
  const known = await tx
    .select({ userId: recoveryCodes.userId })
    .from(recoveryCodes)
    .where(matchesCode(userId, code));
  return known.length > 0 ? "used-before" : "unknown";
}

/** How many codes are left. */
export function countRecoveryCodes(tx: Query, userId: string): Promise<number> {
  return tx.$count(
    recoveryCodes,
    and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)),
  );
}
