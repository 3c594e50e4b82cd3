/** A range of an object's bytes, excluding `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Stores bytes under their SHA-256 in lower-case hex, so the content of a key never changes. Access
 * must be checked by the caller.
 */
export interface Storage {
  /**
   * Moves a complete file into the storage durably: it survives a power failure. Replaces an object
   * with the same key. The file may be gone afterwards.
   * @param path a file in the folder of incoming files
   */
  put(key: string, path: string): Promise<void>;
  /**
   * @param range within the object; the complete object by default
   * @returns the bytes, read lazily; null if there is no such object
   */
  open(key: string, range?: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | null>;
  exists(key: string): Promise<boolean>;
  /** Does nothing if there is no such object. */
  remove(key: string): Promise<void>;
}

/** libvips' messages for ENOSPC and EDQUOT. */
const FULL_WORDS = /No space left on device|Disk quota exceeded/i;

/** Whether a file could not be written because the disk or the quota is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || FULL_WORDS.test(message);
}
