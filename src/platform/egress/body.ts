import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { toEgressError } from "./connect.ts";
import { EgressError } from "./error.ts";

/** Supported content encodings. */
export const ACCEPT_ENCODING = "gzip, br";

/**
 * Reads a body in chunks, decompressed, up to a limit of decompressed bytes. Decompression waits for its
 * reader, so that a bomb takes no more memory than one chunk.
 * @throws EgressError `too_large`, `bad_answer`, `unreachable`; the signal's reason when it is aborted
 */
export async function* readBody(
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  try {
    for await (const piece of decompress(answer) as AsyncIterable<Buffer>) {
      const taken = piece.subarray(0, left);
      left -= taken.length;
      if (taken.length > 0) yield taken;
      if (taken.length < piece.length) throw tooLarge(maxBytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toEgressError(error);
  } finally {
    answer.destroy();
  }
}

function tooLarge(maxBytes: number): EgressError {
  return new EgressError("too_large", `the body is longer than ${maxBytes} bytes`);
}

function decompress(answer: IncomingMessage): Readable {
  const encoding = (answer.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return answer;
  const decompressor = createDecompressor(encoding);
  if (!decompressor) throw new EgressError("bad_answer", "the body has an unknown encoding");
  // The reader gets an error from the stream itself.
  pipeline(answer, decompressor, () => {});
  return decompressor;
}

function createDecompressor(encoding: string): Transform | null {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  return null;
}
