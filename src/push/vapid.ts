import type { Drizzle } from "../database/connect.ts";
import { pushKeys } from "../database/schema.ts";
import { getLogger } from "../platform/log.ts";
import { sealValue, UnsealError, unsealValue } from "../platform/sealed.ts";
import type { ReadKey, SecretKeys } from "../platform/secrets.ts";

const log = getLogger("push");
/** Names the private key's use, for `sealValue` and for the command that rotates the secret key. */
export const PUSH_KEY = "key of push notifications";

/** Identifies the sender to push services (RFC 8292). Both keys in base64url, as browsers take them. */
export type Vapid = {
  publicKey: string;
  privateKey: string;
  /** Where the operator of a push service can complain: an https or mailto address. */
  subject: string;
};

/**
 * The site's one pair of keys, created on first use and stored in the database: a browser's
 * subscription is bound to the public key and would have to be renewed for another.
 * @returns a function that reads it: null if the private key cannot be opened, and push is off
 */
export function createVapid(
  db: Drizzle,
  readKey: ReadKey,
  baseUrl: string,
): () => Promise<Vapid | null> {
  let cached: Vapid | null | undefined;
  return async () => {
    if (cached !== undefined) return cached;
    const keys = await readKey();
    cached = unsealVapid(await readOrCreateKeys(db, keys), keys, baseUrl);
    return cached;
  };
}

/**
 * Creates the keys if there are none, and opens the private one.
 * @throws UnsealError if it was sealed with another key
 */
export async function checkVapid(db: Drizzle, readKey: ReadKey): Promise<void> {
  const keys = await readKey();
  const row = await readOrCreateKeys(db, keys);
  unsealValue(keys, PUSH_KEY, row.privateKey);
}

type KeyRow = { publicKey: string; privateKey: Buffer };

function unsealVapid(row: KeyRow, keys: SecretKeys, baseUrl: string): Vapid | null {
  try {
    const privateKey = unsealValue(keys, PUSH_KEY, row.privateKey);
    return { publicKey: row.publicKey, privateKey, subject: subjectOf(baseUrl) };
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    log.error("Push notifications are off.", { error: error.message });
    return null;
  }
}

/** If several processes create keys at once, all get those of the first. */
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

/** Push services refuse an http address. */
function subjectOf(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? baseUrl : `mailto:snug@${new URL(baseUrl).hostname}`;
}
