import { and, eq, isNull, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { recoveryCodes } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken } from "../platform/secrets/secrets.ts";
import { RECOVERY_CODES } from "../wire/limits.ts";
import { queueSecurityMail } from "./security-mail.ts";

/** 32 letters and digits that do not look alike, so five bits each. */
const ALPHABET = "023456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH = 16;

/** Generates a code of 80 random bits, like `k3m9-…`, in four groups. */
function generateCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  const letters = Array.from(random, (n) => ALPHABET[n % ALPHABET.length]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** Normalizes a code before hashing: people leave out dashes and write `o` for `0`. */
function foldCode(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replaceAll("o", "0");
}

const hashCode = (code: string) => hashToken(foldCode(code));

/** @returns the new codes, of which only hashes are stored */
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

export async function hasRecoveryCode(tx: Query, userId: string, code: string): Promise<boolean> {
  const rows = await tx
    .select({ usedAt: recoveryCodes.usedAt })
    .from(recoveryCodes)
    .where(and(matchesCode(userId, code), isNull(recoveryCodes.usedAt)));
  return rows.length > 0;
}

/** Marks a code as used. Of concurrent uses, only one succeeds. */
async function consumeRecoveryCode(
  tx: Query,
  userId: string,
  code: string,
): Promise<"used" | "used-before" | "unknown"> {
  const usedCodes = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`clock_timestamp()` })
    .where(and(matchesCode(userId, code), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId });
  if (usedCodes.length > 0) return "used";
  const rows = await tx
    .select({ userId: recoveryCodes.userId })
    .from(recoveryCodes)
    .where(matchesCode(userId, code));
  return rows.length > 0 ? "used-before" : "unknown";
}

export async function spendRecoveryCode(
  tx: Transaction,
  userId: string,
  code: string,
): Promise<void> {
  const outcome = await consumeRecoveryCode(tx, userId, code);
  if (outcome === "unknown") throw makeWrongCodeRefusal();
  if (outcome === "used-before") {
    throw new Refusal("code_used", "That recovery code was already used. Use another one.");
  }
  const isUnused = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));
  const remainingCount = await tx.$count(recoveryCodes, isUnused);
  await queueSecurityMail(tx, userId, "recovery_code_used", String(remainingCount));
}

export function makeWrongCodeRefusal(): Refusal {
  return new Refusal("invalid_code", "That code is not right. Check it and try again.");
}
