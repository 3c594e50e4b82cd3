import { chmod, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Generates a random token of 256 bits in base64url: 43 characters. */
export function randomToken(): string {
  return crypto
    .getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * The SHA-256 of a token, which is stored instead of it. Tokens are random, so no salt or slow hash is
 * needed.
 */
export function hashToken(token: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(token).digest();
}

/**
 * Derives the token of a link in an email: an HMAC-SHA256 of an id with the secret key, 43 characters
 * in base64url. A retry of the email derives it again, so it is not stored.
 * @param purpose prevents a token from being valid for another kind of link
 */
export function deriveToken([key]: SecretKeys, purpose: string, id: string): string {
  const mac = new Bun.CryptoHasher("sha256", key).update(`${purpose}\0${id}`);
  return mac.digest("base64url");
}

/** The current secret key, and older ones that some values may still be encrypted with: 32 bytes each. */
export type SecretKeys = readonly [current: Buffer, ...older: Buffer[]];

/** Reads the secret keys, which may be replaced while the service runs. */
export type ReadKey = () => Promise<SecretKeys>;

/** Parses one or more keys in base64, the current one first. @returns null if one is invalid */
export function parseSecretKeys(words: string[]): SecretKeys | null {
  const [current, ...older] = words.map((word) => Buffer.from(word, "base64"));
  const areKeys = words.every((word) => /^[A-Za-z0-9+/]{43}=$/.test(word));
  return areKeys && current ? [current, ...older] : null;
}

/**
 * Loads the secret key for encryption at rest from the settings, or from `secret.key` in the data
 * folder. That file has one key per line, and is created with mode 0600 on the first start.
 * @throws Error with a sentence for the operator
 */
export async function loadSecretKey(
  dataDir: string,
  configuredKeys: SecretKeys | null,
): Promise<SecretKeys> {
  if (configuredKeys) return configuredKeys;
  const path = keyPath(dataDir);
  const text = await readOrMake(dataDir, path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${path} cannot be created or read (${error.code}): set DATA_DIR to a folder of yours.`,
    );
  });
  const keys = parseSecretKeys(text.trim().split(/\s+/));
  if (!keys) throw new Error(`${path} does not hold 32 bytes in base64.`);
  return keys;
}

/** As `loadSecretKey`, but creates nothing. @returns null if there is no key */
export async function readSecretKey(
  dataDir: string,
  configuredKeys: SecretKeys | null,
): Promise<SecretKeys | null> {
  const isThere = configuredKeys !== null || (await Bun.file(keyPath(dataDir)).exists());
  return isThere ? loadSecretKey(dataDir, configuredKeys) : null;
}

/** Replaces the file of the secret keys atomically. */
export async function writeSecretKeys(dataDir: string, keys: SecretKeys): Promise<void> {
  const draft = await draftKeys(keyPath(dataDir), keys);
  await rename(draft, keyPath(dataDir));
}

/** Adds keys to the data folder as the current ones. */
export async function addSecretKeys(dataDir: string, keys: SecretKeys): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const isThere = await Bun.file(keyPath(dataDir)).exists();
  const existing = isThere ? await loadSecretKey(dataDir, null) : [];
  const otherKeys = existing.filter((key) => !keys.some((newKey) => newKey.equals(key)));
  await writeSecretKeys(dataDir, [...keys, ...otherKeys]);
}

/** Generates a secret key: 32 random bytes. */
export function makeSecretKey(): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
}

const keyPath = (dataDir: string) => join(dataDir, "secret.key");

async function readOrMake(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await makeKey(path);
  await chmod(path, 0o600);
  return readFile(path, "utf8");
}

/** Creates the key file if it does not exist. Of several concurrent processes, only one creates it. */
async function makeKey(path: string): Promise<void> {
  if (await Bun.file(path).exists()) return;
  const draft = await draftKeys(path, [makeSecretKey()]);
  try {
    // Linked once it is complete, so that no process reads a partial key, even after a crash.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function draftKeys(path: string, keys: SecretKeys): Promise<string> {
  const draft = `${path}.${process.pid}.${randomToken().slice(0, 8)}`;
  const text = keys.map((key) => `${key.toString("base64")}\n`).join("");
  await writeFile(draft, text, { flag: "wx", mode: 0o600, flush: true });
  return draft;
}
