import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A random token of 256 bits, base64url: 43 characters. */
export function randomToken(): string {
  return crypto
    .getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}

/** SHA-256 of a token: what is stored of it. Tokens are random, so no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(token).digest();
}

/**
 * The token of a link that goes out by mail: a MAC of an id under the secret key (HMAC-SHA256), 43
 * characters of base64url. It can be made again when a mail is tried again, and lies nowhere.
 * @param purpose what it opens, so that one kind of link is no other
 */
export function deriveToken(key: Buffer, purpose: string, id: string): string {
  const mac = new Bun.CryptoHasher("sha256", key).update(`${purpose}\0${id}`);
  return mac.digest("base64url");
}

/** Reads the secret key anew: it may be replaced while the service runs. */
export type ReadKey = () => Promise<Buffer>;

/**
 * The key that encrypts what is secret at rest: 32 bytes from the settings, else from
 * `secret.key` in the data folder, made with mode 0600 on the first start.
 * @throws Error with a sentence for the operator
 */
export async function loadSecretKey(dataDir: string, configured: Buffer | null): Promise<Buffer> {
  if (configured) return configured;
  const path = join(dataDir, "secret.key");
  const text = await readOrMake(dataDir, path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${path} cannot be made or read (${error.code}): set DATA_DIR to a folder of yours.`,
    );
  });
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`${path} does not hold 32 bytes in base64.`);
  return key;
}

async function readOrMake(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  await makeKey(path);
  await chmod(path, 0o600);
  return readFile(path, "utf8");
}

/** Makes the key file if there is none. Of those who start at once, one makes it. */
async function makeKey(path: string): Promise<void> {
  if (await Bun.file(path).exists()) return;
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  const draft = `${path}.${process.pid}.${randomToken().slice(0, 8)}`;
  await writeFile(draft, `${fresh.toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  try {
    // Linked when it is whole: nobody reads half a key, and a crash leaves none.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
