/** Where the small pictures are kept, by the SHA-256 of their bytes in lower-case hex. */
export type PictureStore = {
  /** @returns the key */
  put(picture: Uint8Array): Promise<string>;
  open(key: string): Promise<Blob | ReadableStream<Uint8Array> | null>;
  remove(key: string): Promise<void>;
};
