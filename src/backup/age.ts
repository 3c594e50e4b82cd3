import { Decrypter, Encrypter } from "age-encryption";
import { type Bytes, toStream } from "./archive.ts";
import { BackupError, createDamagedError } from "./format.ts";

const MAGIC = "age-encryption.org/";
/** A header has one stanza per recipient and is buffered in memory. Enough for a hundred. */
const MAX_HEADER_BYTES = 256 * 1_024;

/** @throws BackupError if a string is not an age recipient */
export function checkRecipients(recipients: readonly string[]): void {
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new BackupError(
        `"${recipient}" is not an age recipient: create one with age-keygen, and use the line that begins with age1.`,
      );
    }
  }
}

/** Any of the recipients can decrypt. Without recipients, returns the bytes unchanged. */
export async function encryptBytes(source: Bytes, recipients: readonly string[]): Promise<Bytes> {
  if (recipients.length === 0) return source;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(toStream(source));
}

/**
 * Decrypts a stream that starts with age's header; returns any other stream unchanged.
 * @param identities lines of an identity file
 * @throws BackupError if no identity matches
 */
export async function decryptBytes(source: Bytes, identities: readonly string[]): Promise<Bytes> {
  const { head, bytes } = await peek(source, MAX_HEADER_BYTES);
  if (!head.startsWith(MAGIC)) return bytes;
  if (!head.includes("\n--- "))
    throw createDamagedError("its encryption has no header, or a very long one");
  if (identities.length === 0) {
    throw new BackupError("The backup is encrypted: pass the key file with --identity.");
  }
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return await decrypter.decrypt(toStream(bytes));
  } catch (error) {
    throw new BackupError(
      `The backup cannot be decrypted with this key: ${(error as Error).message}.`,
    );
  }
}

/** Parses an identity file in the format of age-keygen. */
export function parseIdentities(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

async function peek(source: Bytes, length: number): Promise<{ head: string; bytes: Bytes }> {
  const iterator = source[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  let isOver = false;
  while (first.length < length && !isOver) {
    const next = await iterator.next();
    if (next.done) isOver = true;
    else first = Buffer.concat([first, next.value]);
  }
  async function* joinPieces() {
    yield first;
    while (!isOver) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  }
  return { head: first.subarray(0, length).toString("latin1"), bytes: joinPieces() };
}
