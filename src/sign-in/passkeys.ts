import { and, eq, sql } from "drizzle-orm";
import { displayNameOf } from "../accounts/users.ts";
import { checkWayIn } from "../accounts/ways-in.ts";
import type { Query } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { passkeys, users } from "../database/schema.ts";
import { cleanName } from "../platform/names.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { readSiteName } from "../team/read.ts";
import { MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS } from "../wire/limits.ts";
import type { CreatedPasskey, CreatePasskey, PasskeyCreationOptions } from "../wire/sign-in.ts";
import { savePasskeyChallenge, takePasskeyChallenge } from "./challenges.ts";
import type { SignInDeps } from "./deps.ts";
import { lockForChange, noteFactorAdded, noteFactorRemoved } from "./factors.ts";
import { type PasskeyRow, toPasskey, makeUnknownPasskey } from "./list-passkeys.ts";
import { listCredentials, makeWrongPasskey } from "./passkey-assertion.ts";
import { originsOf, rpIdOf } from "./passkey-site.ts";

/**
 * What a browser needs to make a passkey.
 * @throws Refusal `too_many_passkeys`
 */
export async function createPasskeyOptions(
  { database: { db }, baseUrl }: SignInDeps,
  actor: Actor,
): Promise<PasskeyCreationOptions> {
  await checkCount(db, actor.id);
  const [user] = await db
    .update(users)
    .set({ webauthnHandle: sql`coalesce(${users.webauthnHandle}, ${newHandle()})` })
    .where(eq(users.id, actor.id))
    .returning();
  if (!user?.webauthnHandle) throw new Error("createPasskeyOptions: no such user");
  const known = await listCredentials(db, actor.id, rpIdOf(baseUrl));
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: await readSiteName(db, baseUrl),
    rpID: rpIdOf(baseUrl),
    userID: new Uint8Array(user.webauthnHandle),
    userName: user.username,
    userDisplayName: displayNameOf(user),
    attestationType: "none",
    excludeCredentials: known,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  await savePasskeyChallenge(db, options.challenge, "create", actor.id);
  const { rp, challenge, pubKeyCredParams, timeout, authenticatorSelection, attestation } = options;
  return {
    ...{ rp, challenge, pubKeyCredParams, timeout, authenticatorSelection, attestation },
    user: options.user,
    excludeCredentials: known.map((one) => ({ ...one, type: "public-key" as const })),
  };
}

/**
 * Saves a passkey that a browser has made (WebAuthn, 7.1).
 * @returns it, with recovery codes if it is the first factor
 * @throws Refusal `invalid_passkey`, `passkey_known`, `too_many_passkeys`, `validation`
 */
export async function createPasskey(
  deps: SignInDeps,
  actor: Actor,
  request: Request,
  { name, passkey }: CreatePasskey,
): Promise<CreatedPasskey> {
  const { db } = deps.database;
  const { baseUrl } = deps;
  const label = name?.trim() ? cleanName(name, "/name", MAX_PASSKEY_NAME_LENGTH) : "Passkey";
  const taken = await takePasskeyChallenge(db, "create", passkey.response.clientDataJSON);
  if (taken?.userId !== actor.id) throw makeWrongPasskey();
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { transports = [], ...response } = passkey.response;
  const verified = await verifyRegistrationResponse({
    response: { ...passkey, response, clientExtensionResults: {} },
    expectedChallenge: taken.challenge,
    expectedOrigin: originsOf(deps, request),
    expectedRPID: rpIdOf(baseUrl),
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) throw makeWrongPasskey();
  const { credential, aaguid, credentialBackedUp } = verified.registrationInfo;
  return db.transaction(async (tx) => {
    const user = await lockForChange(tx, actor);
    await checkCount(tx, user.id);
    const [row] = await tx
      .insert(passkeys)
      .values({
        id: Bun.randomUUIDv7(),
        userId: user.id,
        credentialId: Buffer.from(credential.id, "base64url"),
        publicKey: Buffer.from(credential.publicKey),
        signCount: credential.counter,
        transports: transports.filter((one) => TRANSPORTS.has(one)),
        aaguid,
        rpId: rpIdOf(baseUrl),
        name: label,
        isSynced: credentialBackedUp,
      })
      .returning()
      .catch((error) => {
        if (!violatesConstraint(error, "passkeys_credential_id")) throw error;
        throw new Refusal("passkey_known", "This passkey was added before.");
      });
    const recovery_codes = await noteFactorAdded(tx, user, "passkey_added", label);
    return { ...toPasskey(row as PasskeyRow, baseUrl), recovery_codes };
  });
}

/** As WebAuthn names them (5.8.4); a browser ignores others. */
const TRANSPORTS = new Set(["ble", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/** @throws Refusal `not_found`, `last_factor`, `no_emergency_account`, `last_way_in` */
export async function removePasskey(
  { database: { db } }: SignInDeps,
  actor: Actor,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockForChange(tx, actor);
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)))
      .returning();
    if (!removed) throw makeUnknownPasskey();
    await noteFactorRemoved(tx, user, actor, "passkey_removed", removed.name);
    await checkWayIn(tx, user);
  });
}

async function checkCount(tx: Query, userId: string): Promise<void> {
  if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) < MAX_PASSKEYS) return;
  throw new Refusal("too_many_passkeys", `You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
}

function newHandle(): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
}
