import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { isIP } from "node:net";
import type { Query, Transaction } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { passkeys, users } from "../database/schema.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { cleanName } from "../platform/input/names.ts";
import { isLocalHost } from "../platform/networks.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import { readSiteName } from "../team/read.ts";
import { displayNameOf, type UserRow } from "../users/users.ts";
import { MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type {
  CreatedPasskey,
  CreatePasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "../wire/sign-in.ts";
import { savePasskeyChallenge, consumePasskeyChallenge } from "./challenges.ts";
import type { SignInDeps } from "./deps.ts";
import { checkSignInMethod } from "./lockout.ts";
import { lockOwnAccount, finishAddingFactor, finishRemovingFactor } from "./second-factor.ts";
import { queueSecurityMail } from "./security-mail.ts";

/** @throws Refusal `too_many_passkeys` */
export async function createPasskeyOptions(
  { database: { db }, baseUrl }: SignInDeps,
  actor: Actor,
): Promise<PasskeyCreationOptions> {
  await checkCount(db, actor.id);
  const newHandle = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  const [user] = await db
    .update(users)
    .set({ webauthnHandle: sql`coalesce(${users.webauthnHandle}, ${newHandle})` })
    .where(eq(users.id, actor.id))
    .returning();
  if (!user?.webauthnHandle) throw new Error("createPasskeyOptions: no such user");
  const credentials = await listCredentials(db, actor.id, rpIdOf(baseUrl));
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: await readSiteName(db, baseUrl),
    rpID: rpIdOf(baseUrl),
    userID: new Uint8Array(user.webauthnHandle),
    userName: user.username,
    userDisplayName: displayNameOf(user),
    attestationType: "none",
    excludeCredentials: credentials,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  await savePasskeyChallenge(db, options.challenge, "create", actor.id);
  const { rp, challenge, pubKeyCredParams, timeout, authenticatorSelection, attestation } = options;
  return {
    rp,
    challenge,
    pubKeyCredParams,
    timeout,
    authenticatorSelection,
    attestation,
    user: options.user,
    excludeCredentials: credentials,
  };
}

/**
 * Verifies and stores a passkey that a browser has created (WebAuthn, 7.1).
 * @returns recovery codes with it if it is the first factor
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
  const challenge = await consumePasskeyChallenge(db, "create", passkey.response.clientDataJSON);
  if (challenge?.userId !== actor.id) throw makeWrongPasskeyRefusal();
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { transports = [], ...response } = passkey.response;
  const verification = await verifyRegistrationResponse({
    response: { ...passkey, response, clientExtensionResults: {} },
    expectedChallenge: challenge.challenge,
    expectedOrigin: originsOf(deps, request),
    expectedRPID: rpIdOf(baseUrl),
    requireUserVerification: false,
  }).catch(() => null);
  if (!verification?.verified) throw makeWrongPasskeyRefusal();
  const { credential, aaguid, credentialBackedUp } = verification.registrationInfo;
  return db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    await checkCount(tx, user.id);
    const [row] = await tx
      .insert(passkeys)
      .values({
        id: Bun.randomUUIDv7(),
        userId: user.id,
        credentialId: Buffer.from(credential.id, "base64url"),
        publicKey: Buffer.from(credential.publicKey),
        signCount: credential.counter,
        transports: transports.filter((transport) => TRANSPORTS.has(transport)),
        aaguid,
        rpId: rpIdOf(baseUrl),
        name: label,
        isSynced: credentialBackedUp,
      })
      .returning()
      .catch((error) => {
        if (!violatesConstraint(error, "passkeys_credential_id")) throw error;
        throw new Refusal("passkey_known", "This passkey was already added.");
      });
    const recovery_codes = await finishAddingFactor(tx, user, "passkey_added", label);
    return { ...toPasskey(row as PasskeyRow, baseUrl), recovery_codes };
  });
}

/** WebAuthn, 5.8.4. Browsers ignore unknown transports. */
const TRANSPORTS = new Set(["ble", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/** @throws Refusal `not_found`, `last_factor`, `no_emergency_account`, `last_way_in` */
export async function removePasskey(
  { database: { db } }: SignInDeps,
  actor: Actor,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    const [passkey] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)))
      .returning();
    if (!passkey) throw makeUnknownPasskeyRefusal();
    await finishRemovingFactor(tx, user, actor, "passkey_removed", passkey.name);
    await checkSignInMethod(tx, user);
  });
}

async function checkCount(tx: Query, userId: string): Promise<void> {
  if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) < MAX_PASSKEYS) return;
  throw new Refusal("too_many_passkeys", `You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
}

type PasskeyRow = typeof passkeys.$inferSelect;

export async function listPasskeys(
  tx: Query,
  baseUrl: string,
  userId: string,
  query: PageQuery,
): Promise<Page<Passkey>> {
  const after = decodeIdCursor(query.cursor) ?? SMALLEST_ID;
  const rows = await tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), gt(passkeys.id, after)))
    .orderBy(asc(passkeys.id))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => row.id,
    (row) => toPasskey(row, baseUrl),
  );
}

/** @throws Refusal `not_found`, `validation` */
export async function renamePasskey(
  { database: { db }, baseUrl }: SignInDeps,
  actor: Actor,
  id: string,
  name: string,
): Promise<Passkey> {
  const [row] = await db
    .update(passkeys)
    .set({ name: cleanName(name, "/name", MAX_PASSKEY_NAME_LENGTH) })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)))
    .returning();
  if (!row) throw makeUnknownPasskeyRefusal();
  return toPasskey(row, baseUrl);
}

function toPasskey(row: PasskeyRow, baseUrl: string): Passkey {
  return {
    id: row.id,
    name: row.name,
    is_synced: row.isSynced,
    is_usable: row.rpId === rpIdOf(baseUrl),
    went_back_at: row.counterRegressedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

function makeUnknownPasskeyRefusal(): Refusal {
  return new Refusal("not_found", "You have no such passkey.");
}

/** @param userId null to name no passkeys, which would reveal who has a passkey */
export async function createAssertionOptions(
  { database: { db }, baseUrl }: SignInDeps,
  userId: string | null,
): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const credentials = userId === null ? [] : await listCredentials(db, userId, rpIdOf(baseUrl));
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(baseUrl),
    userVerification: userId === null ? "required" : "preferred",
    allowCredentials: credentials,
  });
  await savePasskeyChallenge(db, options.challenge, "passkey", userId);
  const { challenge, timeout, rpId, userVerification } = options;
  const allowList = userId === null ? {} : { allowCredentials: credentials };
  return { challenge, timeout, rpId, userVerification, ...allowList };
}

/** Lists the passkeys of an account that work on this host, as WebAuthn credential descriptors. */
async function listCredentials(tx: Query, userId: string, rpId: string) {
  const rows = await tx
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.rpId, rpId)));
  return rows.map(({ id, transports }) => ({
    id: id.toString("base64url"),
    type: "public-key" as const,
    transports: transports as ("usb" | "nfc" | "ble" | "internal" | "hybrid")[],
  }));
}

type AssertionChecks = {
  /** The account for which the challenge must have been created; null for any. */
  userId: string | null;
  /** Whether the authenticator must have verified its user, with a PIN or biometrics. */
  needsVerification: boolean;
};

/**
 * Verifies an authenticator's signature (WebAuthn, 7.2).
 * @returns the owner of the passkey, and the function that records its use in the transaction that relies on it
 * @throws Refusal `invalid_passkey`, the same for an unknown passkey, a deactivated account and a bad
 * signature
 */
export async function checkAssertion(
  deps: SignInDeps,
  request: Request,
  assertion: PasskeyAssertion,
  { userId, needsVerification }: AssertionChecks,
): Promise<{ user: UserRow; use(tx: Transaction): Promise<void> }> {
  const { db } = deps.database;
  const challenge = await consumePasskeyChallenge(db, "passkey", assertion.response.clientDataJSON);
  if (!challenge || (challenge.userId !== null && userId !== null && challenge.userId !== userId)) {
    throw makeWrongPasskeyRefusal();
  }
  const row = await findPasskey(db, assertion.id);
  if (!row || (challenge.userId !== null && challenge.userId !== row.user.id))
    throw makeWrongPasskeyRefusal();
  const { passkey, user } = row;
  const handle = assertion.response.userHandle;
  if (handle && handle !== user.webauthnHandle?.toString("base64url"))
    throw makeWrongPasskeyRefusal();
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verification = await verifyAuthenticationResponse({
    response: {
      ...assertion,
      response: { ...assertion.response, userHandle: handle ?? undefined },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge.challenge,
    expectedOrigin: originsOf(deps, request),
    expectedRPID: rpIdOf(deps.baseUrl),
    requireUserVerification: needsVerification,
    credential: {
      id: assertion.id,
      publicKey: new Uint8Array(passkey.publicKey),
      // Skips the library's check: `savePasskeyUse` reports a counter that goes back, and does not refuse it.
      counter: 0,
    },
  }).catch(() => null);
  if (!verification?.verified) throw makeWrongPasskeyRefusal();
  const { newCounter } = verification.authenticationInfo;
  return { user, use: (tx) => savePasskeyUse(tx, passkey, newCounter) };
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
        // A passkey cannot be used before the second factor is on.
        isNotNull(users.secondFactorAt),
      ),
    );
  return row ?? null;
}

async function savePasskeyUse(
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
  if (!before) throw makeWrongPasskeyRefusal();
  const hasRegressed = (count > 0 || before.signCount > 0) && count <= before.signCount;
  await tx
    .update(passkeys)
    .set({
      signCount: count,
      lastUsedAt: sql`clock_timestamp()`,
      ...(hasRegressed ? { counterRegressedAt: sql`clock_timestamp()` } : {}),
    })
    .where(eq(passkeys.id, id));
  if (hasRegressed) await queueSecurityMail(tx, userId, "passkey_went_back", name);
}

export function makeWrongPasskeyRefusal(): Refusal {
  return new Refusal(
    "invalid_passkey",
    "This passkey does not belong to an account here. Try another passkey, or sign in another way.",
  );
}

/** The relying party's id is the site's host without the port. */
export function rpIdOf(baseUrl: string): string {
  return new URL(baseUrl).hostname;
}

/** Browsers support passkeys over https and on localhost, but never at an IP address (WebAuthn, 5.1.2). */
export function arePasskeysPossible(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
}

/**
 * Lists the origins that may use a passkey: only that of BASE_URL, because another port of its host may be
 * another program. Without BASE_URL someone is trying Snug out on this machine, at any port.
 */
function originsOf(
  { baseUrl, config }: { baseUrl: string; config: { baseUrl: string | null } },
  request: Request,
): string[] {
  const site = new URL(baseUrl).origin;
  const address = URL.parse(`http://${request.headers.get("host")}`);
  const isLocal = address !== null && isLocalHost(address.hostname);
  return config.baseUrl === null && isLocal ? [site, address.origin] : [site];
}
