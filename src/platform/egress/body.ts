import type { IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createInflate, createInflateRaw } from "node:zlib";
import { toEgressError } from "./connect.ts";
import { EgressError } from "./error.ts";

export const ACCEPT_ENCODING = "gzip, br";

/**
 * Reads a body in chunks, decompressed, up to a limit of decompressed bytes. Decompression has
 * backpressure, so a decompression bomb uses no more memory than one chunk.
 * @throws EgressError `too_large`, `bad_answer`, `unreachable`; the signal's reason when it is aborted
 */
export async function* readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let remainingBytes = maxBytes;
  try {
    for await (const piece of decompress(response) as AsyncIterable<Buffer>) {
      const part = piece.subarray(0, remainingBytes);
      remainingBytes -= part.length;
      if (part.length > 0) yield part;
      if (part.length < piece.length) throw createTooLargeError(maxBytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toEgressError(error);
  } finally {
    response.destroy();
  }
}

function createTooLargeError(maxBytes: number): EgressError {
  return new EgressError("too_large", `the body is longer than ${maxBytes} bytes`);
}

/** Removes encodings from last to first; ignores unknown ones, as browsers do. */
function decompress(response: IncomingMessage): Readable {
  const words = (response.headers["content-encoding"] ?? "").toLowerCase().split(",");
  const encodings = words.map((word) => word.trim()).filter((word) => ENCODINGS.has(word));
  if (encodings.length > MAX_ENCODINGS) {
    throw new EgressError("bad_answer", "the body is compressed too many times");
  }
  return encodings.reduceRight<Readable>(unpack, response);
}

/** Some servers send `deflate` although it is not requested. */
const ENCODINGS = new Set(["gzip", "x-gzip", "br", "deflate"]);
/** Maximum number of encodings, since each multiplies the possible compression ratio. */
const MAX_ENCODINGS = 2;

function unpack(body: Readable, encoding: string): Readable {
  if (encoding === "deflate") return Readable.from(inflate(body));
  const isBrotli = encoding === "br";
  const source = isBrotli ? body : Readable.from(skipGzipHead(body));
  // Raw, because the gzip decompressor rejects trailing bytes.
  const decompressor = isBrotli ? createBrotliDecompress() : createInflateRaw();
  // The reader gets the error from the stream itself.
  pipeline(source, decompressor, () => {});
  return decompressor;
}

/**
 * Inflates data with a zlib header, as the standard requires, or without, as some servers send it (RFC
 * 9110, 8.4.1.2).
 */
async function* inflate(body: Readable): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const { done, value } = (await pieces.next()) as IteratorResult<Buffer>;
  if (done) return;
  const [method = 0, flags = 0] = value;
  const isWhole = (method & 15) === 8 && (method * 256 + flags) % 31 === 0;
  const decompressor = isWhole ? createInflate() : createInflateRaw();
  async function* joinPieces() {
    yield value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  pipeline(Readable.from(joinPieces()), decompressor, () => {});
  yield* decompressor;
}

const MAX_GZIP_HEAD = 16 * 1024;

/** Skips the header of a gzip file (RFC 1952, 2.3). */
async function* skipGzipHead(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of body) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
    const length = gzipHeadLength(start);
    if (length === null && start.length <= MAX_GZIP_HEAD) continue;
    if (length === null) throw noGzip();
    if (length < start.length) yield start.subarray(length);
    start = null;
  }
  if (start !== null) throw noGzip();
}

/** @returns null if the header is incomplete */
function gzipHeadLength(bytes: Buffer): number | null {
  if (bytes.length < 10) return null;
  if (bytes.readUInt16BE(0) !== 0x1f8b || bytes[2] !== 8) throw noGzip();
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) {
    if (bytes.length < at + 2) return null;
    at += 2 + bytes.readUInt16LE(at);
  }
  // The name and the comment are terminated by a zero byte.
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return null;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? at : null;
}

function noGzip(): EgressError {
  return new EgressError("bad_answer", "the body is not gzip");
}
