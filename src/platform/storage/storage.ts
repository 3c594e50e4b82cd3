/** A part of an object's bytes, without `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Stores bytes under their SHA-256 in lower-case hex, so what a key names never changes. Who may read
 * them is checked elsewhere.
 */
export interface Storage {
  /**
   * Moves a finished file into the storage, durably: the bytes survive a power failure. An object with
   * the same key is replaced. The file may be gone afterwards.
   * @param path a file in the folder of incoming files
   */
  put(key: string, path: string): Promise<void>;
  /**
   * @param range all of it if left out; it must lie within the object
   * @returns the bytes, read lazily, or null if there is no such object
   */
  open(key: string, range?: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | null>;
  exists(key: string): Promise<boolean>;
  /** Does nothing if there is no such object. */
  remove(key: string): Promise<void>;
}

/** How libvips words the system's ENOSPC and EDQUOT. */
const FULL_WORDS = /No space left on device|Disk quota exceeded/i;

/** True if a file could not be written because the disk or the quota is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || FULL_WORDS.test(message);
}
