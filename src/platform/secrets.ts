import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
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
 * The key that encrypts what is secret at rest: 32 bytes from the settings, else from
 * `secret.key` in the data folder, made with mode 0600 on the first start.
 */
export async function loadSecretKey(dataDir: string, configured: Buffer | null): Promise<Buffer> {
  if (configured) return configured;
  const path = join(dataDir, "secret.key");
  await mkdir(dataDir, { recursive: true });
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  try {
    // "wx": of two that start at once, one writes and the other reads.
    await writeFile(path, `${fresh.toString("base64")}\n`, { flag: "wx", mode: 0o600 });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  await chmod(path, 0o600);
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "base64");
  if (key.length !== 32) throw new Error(`${path} does not hold 32 bytes in base64.`);
  return key;
}
