import { and, asc, isNotNull } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { pushKeys, users } from "../database/schema.ts";
import { getLogger } from "../platform/log.ts";
import { sealValue, UnsealError, unsealValue } from "../platform/secrets/sealed.ts";
import type { ReadKey, SecretKeys } from "../platform/secrets/secrets.ts";

const log = getLogger("push");
/** Names the private key's use, for `sealValue` and for the command that rotates the secret key. */
export const PUSH_KEY = "key of push notifications";

/**
 * The sender's identity for push services (RFC 8292). Both keys are in base64url, the format that
 * browsers use.
 */
export type Vapid = {
  publicKey: string;
  privateKey: string;
  /** The operator's contact for push services: an https or mailto URL. */
  subject: string;
};

/**
 * Creates the function that reads the site's only key pair, which is created on first use: a browser's
 * subscription is bound to the public key and would have to be renewed for another.
 * @returns null if the private key cannot be decrypted and push is off
 */
export function createVapid(
  db: Drizzle,
  readKey: ReadKey,
  contact: Contact,
): () => Promise<Vapid | null> {
  let pair: KeyPair | null | undefined;
  return async () => {
    if (pair === undefined) {
      const keys = await readKey();
      pair = unsealPair(await readOrCreateKeys(db, keys), keys);
    }
    return pair && { ...pair, subject: await readSubject(db, contact) };
  };
}

/** The settings from which the contact is derived; `subject` is `VAPID_SUBJECT`. */
type Contact = { baseUrl: string; subject: string | null };

/**
 * Returns the contact for operators of push services: the setting, otherwise the first administrator's
 * address, otherwise the site's URL.
 */
async function readSubject(db: Drizzle, { baseUrl, subject }: Contact): Promise<string> {
  if (subject !== null) return subject;
  const [first] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(users.isSiteAdmin, users.isActive, isNotNull(users.email)))
    .orderBy(asc(users.id))
    .limit(1);
  if (first) return `mailto:${first.email}`;
  // Push services refuse an http address.
  return baseUrl.startsWith("https:") ? baseUrl : `mailto:snug@${new URL(baseUrl).hostname}`;
}

/** Host names that cannot receive email (RFC 2606, RFC 6762). Apple rejects pushes with such a contact. */
const LOCAL_HOST = /(?:^|\.)(?:local|localhost|internal|invalid|test)$/;

/**
 * Checks the contact as Apple's push service does, which rejects an invalid one with `BadJwtToken`.
 * @throws Error that says what to configure
 */
export async function checkSubject(db: Drizzle, contact: Contact): Promise<string> {
  const subject = await readSubject(db, contact);
  const host = subject.startsWith("mailto:")
    ? subject.slice(subject.lastIndexOf("@") + 1)
    : new URL(subject).hostname;
  if (host.includes(".") && !LOCAL_HOST.test(host)) return subject;
  throw new Error(
    `Apple refuses pushes whose contact is ${subject}: set VAPID_SUBJECT to an address that can be reached from outside, such as mailto:you@example.org.`,
  );
}

/**
 * Creates the keys if there are none, and decrypts the private key.
 * @throws UnsealError if it was encrypted with another key
 */
export async function checkVapid(db: Drizzle, readKey: ReadKey): Promise<void> {
  const keys = await readKey();
  const row = await readOrCreateKeys(db, keys);
  unsealValue(keys, PUSH_KEY, row.privateKey);
}

type KeyPair = Pick<Vapid, "publicKey" | "privateKey">;
type KeyRow = { publicKey: string; privateKey: Buffer };

function unsealPair(row: KeyRow, keys: SecretKeys): KeyPair | null {
  try {
    const privateKey = unsealValue(keys, PUSH_KEY, row.privateKey);
    return { publicKey: row.publicKey, privateKey };
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    log.error("Push notifications are off.", { error: error.message });
    return null;
  }
}

/** If several processes create keys at once, all use the first pair. */
async function readOrCreateKeys(db: Drizzle, keys: SecretKeys): Promise<KeyRow> {
  const existing = await readKeys(db);
  if (existing) return existing;
  const { generateVAPIDKeys } = await import("web-push");
  const { publicKey, privateKey } = generateVAPIDKeys();
  await db
    .insert(pushKeys)
    .values({ publicKey, privateKey: sealValue(keys, PUSH_KEY, privateKey) })
    .onConflictDoNothing();
  return (await readKeys(db)) as KeyRow;
}

async function readKeys(db: Drizzle): Promise<KeyRow | undefined> {
  const { publicKey, privateKey } = pushKeys;
  const [row] = await db.select({ publicKey, privateKey }).from(pushKeys);
  return row;
}
