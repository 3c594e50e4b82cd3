import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { toEgressError } from "./connect.ts";
import { EgressError } from "./error.ts";

/** What answers may be packed with. */
export const ACCEPT_ENCODING = "gzip, br";

/**
 * The body, unpacked, piece by piece, and no more of it than is allowed: the limit holds for what
 * arrives and for what it unpacks to, and unpacking waits for its reader, so that a bomb takes no
 * more memory than a piece of it.
 * @throws EgressError `too_large`, `bad_answer`, `unreachable`; the signal's reason when it is aborted
 */
export async function* readBody(
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  try {
    for await (const piece of unpacked(answer) as AsyncIterable<Buffer>) {
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

function unpacked(answer: IncomingMessage): Readable {
  const encoding = (answer.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return answer;
  const unpack = unpackerOf(encoding);
  if (!unpack) throw new EgressError("bad_answer", "the body is packed in an unknown way");
  // Its reader hears of an error by the stream itself.
  pipeline(answer, unpack, () => {});
  return unpack;
}

function unpackerOf(encoding: string): Transform | null {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  return null;
}
