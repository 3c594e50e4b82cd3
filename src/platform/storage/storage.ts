/** A part of an object's bytes: `end` is not in it. */
export type ByteRange = { start: number; end: number };

/**
 * Where bytes are kept, by the SHA-256 of them in lower-case hex: what is under a key never changes.
 * It knows nothing of who may read them, nor of what they are.
 */
export interface Storage {
  /**
   * Takes a finished file in; after it, the bytes outlive a loss of power. What is there under the
   * key is replaced: it is the same. The file may be gone afterwards.
   * @param path a file in the folder of incoming files
   */
  put(key: string, path: string): Promise<void>;
  /**
   * @param range all of it if left out; it must lie within the object
   * @returns the bytes, read as they are taken, or null if nothing is there
   */
  open(key: string, range?: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | null>;
  exists(key: string): Promise<boolean>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
}
