import { and, eq, isNotNull, sql } from "drizzle-orm";
import { queueSecurityMail } from "../accounts/security-mail.ts";
import type { UserRow } from "../accounts/users.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { passkeys, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { PasskeyAssertion, PasskeyRequestOptions } from "../wire/sign-in.ts";
import { savePasskeyChallenge, takePasskeyChallenge } from "./challenges.ts";
import type { SignInDeps } from "./deps.ts";
import { originsOf, rpIdOf } from "./passkey-site.ts";

type PasskeyRow = typeof passkeys.$inferSelect;

/**
 * What a browser needs to use a passkey.
 * @param userId an account that is known already; null for anyone, who then names no passkey, so that
 * nobody can try which names have one
 */
export async function createAssertionOptions(
  { database: { db }, baseUrl }: SignInDeps,
  userId: string | null,
): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const known = userId === null ? [] : await listCredentials(db, userId, rpIdOf(baseUrl));
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(baseUrl),
    userVerification: userId === null ? "required" : "preferred",
    allowCredentials: known,
  });
  await savePasskeyChallenge(db, options.challenge, "passkey", userId);
  const { challenge, timeout, rpId, userVerification } = options;
  const allowed = known.map((one) => ({ ...one, type: "public-key" as const }));
  return {
    ...{ challenge, timeout, rpId, userVerification },
    ...(userId === null ? {} : { allowCredentials: allowed }),
  };
}

/** The passkeys of an account that work on this host, as WebAuthn describes them. */
export async function listCredentials(tx: Query, userId: string, rpId: string) {
  const rows = await tx
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.rpId, rpId)));
  return rows.map(({ id, transports }) => ({
    id: id.toString("base64url"),
    transports: transports as ("usb" | "nfc" | "ble" | "internal" | "hybrid")[],
  }));
}

type Demands = {
  /** The account for which the challenge must have been made; null for any. */
  userId: string | null;
  /** Whether the authenticator must have verified its user, by a PIN or biometrics. */
  needsVerification: boolean;
};

/**
 * Checks what an authenticator has signed (WebAuthn, 7.2).
 * @returns whose passkey it is, and what notes its use, in the transaction that relies on it
 * @throws Refusal `invalid_passkey`, the same for an unknown passkey, a deactivated account and a bad
 * signature
 */
export async function checkAssertion(
  deps: SignInDeps,
  request: Request,
  assertion: PasskeyAssertion,
  { userId, needsVerification }: Demands,
): Promise<{ user: UserRow; use(tx: Transaction): Promise<void> }> {
  const { db } = deps.database;
  const taken = await takePasskeyChallenge(db, "passkey", assertion.response.clientDataJSON);
  if (!taken || (taken.userId !== null && userId !== null && taken.userId !== userId)) {
    throw makeWrongPasskey();
  }
  const found = await findPasskey(db, assertion.id);
  if (!found || (taken.userId !== null && taken.userId !== found.user.id)) throw makeWrongPasskey();
  const { passkey, user } = found;
  const handle = assertion.response.userHandle;
  if (handle && handle !== user.webauthnHandle?.toString("base64url")) throw makeWrongPasskey();
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyAuthenticationResponse({
    response: {
      ...assertion,
      response: { ...assertion.response, userHandle: handle ?? undefined },
      clientExtensionResults: {},
    },
    expectedChallenge: taken.challenge,
    expectedOrigin: originsOf(deps, request),
    expectedRPID: rpIdOf(deps.baseUrl),
    requireUserVerification: needsVerification,
    credential: {
      id: assertion.id,
      publicKey: new Uint8Array(passkey.publicKey),
      // Compared below: a counter that goes back is noted, not refused.
      counter: 0,
    },
  }).catch(() => null);
  if (!verified?.verified) throw makeWrongPasskey();
  const { newCounter } = verified.authenticationInfo;
  return { user, use: (tx) => notePasskeyUse(tx, passkey, newCounter) };
}

async function findPasskey(tx: Query, credentialId: string) {
  const [row] = await tx
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(
      and(
        eq(passkeys.credentialId, Buffer.from(credentialId, "base64url")),
        eq(users.isActive, true),
        // A passkey does not count before its account's recovery codes are saved.
        isNotNull(users.secondFactorAt),
      ),
    );
  return row ?? null;
}

async function notePasskeyUse(
  tx: Transaction,
  { id, userId, name }: PasskeyRow,
  count: number,
): Promise<void> {
  const [before] = await tx
    .select({ signCount: passkeys.signCount })
    .from(passkeys)
    .where(eq(passkeys.id, id))
    .for("no key update");
  // The passkey was removed since it was checked.
  if (!before) throw makeWrongPasskey();
  const wentBack = (count > 0 || before.signCount > 0) && count <= before.signCount;
  await tx
    .update(passkeys)
    .set({
      signCount: count,
      lastUsedAt: sql`clock_timestamp()`,
      ...(wentBack ? { wentBackAt: sql`clock_timestamp()` } : {}),
    })
    .where(eq(passkeys.id, id));
  if (wentBack) await queueSecurityMail(tx, userId, "passkey_went_back", name);
}

export function makeWrongPasskey(): Refusal {
  return new Refusal(
    "invalid_passkey",
    "This passkey does not open an account here. Try another one, or another way to sign in.",
  );
}
