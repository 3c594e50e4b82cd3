import { open } from "node:fs/promises";

const BUFFER_BYTES = 256 * 1_024;

/**
 * Computes a file's SHA-256 and size in bytes. Reuses one buffer, because a stream would allocate as
 * much garbage as the file is long.
 */
export async function hashFile(path: string): Promise<{ sha256: Buffer; sizeBytes: number }> {
  const hasher = new Bun.CryptoHasher("sha256");
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  const handle = await open(path, "r");
  try {
    for (let sizeBytes = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, BUFFER_BYTES, sizeBytes);
      if (bytesRead === 0) return { sha256: hasher.digest(), sizeBytes };
      hasher.update(buffer.subarray(0, bytesRead));
      sizeBytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
