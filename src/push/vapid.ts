import { generateVAPIDKeys } from "web-push";
import type { SqlClient } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";
import { seal, UnsealError, unseal } from "../platform/sealed.ts";
import type { ReadKey, SecretKeys } from "../platform/secrets.ts";

const log = getLogger("push");
/** What is sealed here, for `seal`, and for the command that rotates the secret key. */
export const PUSH_KEY = "key of push notifications";

/** Says to push services who sends (RFC 8292). Both keys in base64url, as browsers take them. */
export type Vapid = {
  publicKey: string;
  privateKey: string;
  /** Where a push service's operator can complain: an https or mailto address. */
  subject: string;
};

/**
 * The site's one pair of keys, made by whoever needs it first and kept in the database: browsers are
 * subscribed with the public one and would have to be subscribed anew with another.
 * @returns how to get it: null where the private key cannot be opened, and push is off
 */
export function createVapid(
  sql: SqlClient,
  readKey: ReadKey,
  baseUrl: string,
): () => Promise<Vapid | null> {
  let known: Vapid | null | undefined;
  return async () => {
    if (known !== undefined) return known;
    const row = (await find(sql)) ?? (await make(sql, await readKey()));
    known = open(row, await readKey(), baseUrl);
    return known;
  };
}

/**
 * Makes the keys if there are none, and opens the private one.
 * @throws UnsealError if it was sealed with another key
 */
export async function checkVapid(sql: SqlClient, readKey: ReadKey): Promise<void> {
  const keys = await readKey();
  const row = (await find(sql)) ?? (await make(sql, keys));
  unseal(keys, PUSH_KEY, row.private_key);
}

function open(row: Row, keys: SecretKeys, baseUrl: string): Vapid | null {
  try {
    const privateKey = unseal(keys, PUSH_KEY, row.private_key);
    return { publicKey: row.public_key, privateKey, subject: subjectOf(baseUrl) };
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    log.error("Push notifications are off.", { error: error.message });
    return null;
  }
}

type Row = { public_key: string; private_key: Buffer };

async function find(sql: SqlClient): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`select public_key, private_key from push_keys`;
  return row;
}

/** Of those who make one at once, one has made it. */
async function make(sql: SqlClient, keys: SecretKeys): Promise<Row> {
  const { publicKey, privateKey } = generateVAPIDKeys();
  await sql`insert into push_keys (public_key, private_key)
    values (${publicKey}, ${seal(keys, PUSH_KEY, privateKey)}) on conflict do nothing`;
  return (await find(sql)) as Row;
}

/** Push services refuse an http address. */
function subjectOf(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? baseUrl : `mailto:snug@${new URL(baseUrl).hostname}`;
}
