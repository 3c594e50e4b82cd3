import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import busboy from "busboy";
import { cleanFileName } from "../input/file-names.ts";
import { makeInvalid, Refusal } from "../refusal.ts";

/** The part that is read; others are skipped. */
const PART = "file";
/** For the rest of the body: boundaries, headers, other small parts. */
const MAX_OTHER_BYTES = 64 * 1_024;
const LIMITS = { files: 4, fields: 20, fieldSize: 1_024, parts: 24, headerPairs: 32 };
const UNKNOWN_TYPE = "application/octet-stream";
/** type "/" subtype (RFC 9110, 8.3.1), of names as RFC 6838 allows them. */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/;

/** A received file. */
export type Received = {
  /** Safe to store and show. */
  name: string;
  /** The sender's media type, without parameters. */
  mime: string;
  sizeBytes: number;
};

/** Limits of a body. */
export type Bounds = {
  maxBytes: number;
  /** Creates the error for a longer file. */
  tooLarge: () => Refusal;
  /** After how long without a byte the body is aborted. */
  idleSeconds: number;
};

/**
 * Writes the part `file` of a `multipart/form-data` body (RFC 7578) to a new file, some bytes at a
 * time. It stops as soon as the body is too large, by its Content-Length or by its bytes. After a
 * refusal the caller has to delete the partial file.
 * @param path of a file that does not exist
 * @throws Refusal `unsupported_media_type`, `bad_request`, `validation`, and what `tooLarge` makes
 */
export async function receiveFile(
  request: Request,
  path: string,
  { maxBytes, tooLarge, idleSeconds }: Bounds,
): Promise<Received> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw new Refusal("unsupported_media_type", "Send the file as multipart/form-data.");
  }
  const maxBodyBytes = maxBytes + MAX_OTHER_BYTES;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge();
  const parser = openParser(type);
  let received: Promise<Received> | undefined;
  parser.on("file", (part, stream, info) => {
    if (part !== PART || received) {
      stream.resume();
      return;
    }
    received = write(stream, path, maxBytes, tooLarge).then((sizeBytes) => ({
      name: cleanFileName(unescaped(info.filename ?? "")),
      mime: mediaType(info.mimeType),
      sizeBytes,
    }));
    // Ends the parsing with the same error, which is caught below.
    received.catch((error) => parser.destroy(error));
  });
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), idleSeconds * 1_000);
  const counted = bound(maxBodyBytes, tooLarge, () => timer.refresh());
  try {
    await pipeline(bodyOf(request), counted, parser, { signal: stalled.signal });
  } catch (error) {
    // The file's error is the cause of the parser's, or a consequence.
    await received?.catch(() => {});
    throw error instanceof Refusal || isSystemError(error) ? error : unreadable();
  } finally {
    clearTimeout(timer);
  }
  if (!received) throw makeInvalid(`/${PART}`, `There is no part "${PART}" with a file name.`);
  return received;
}

/** As a stream of Node.js: unlike an iterator, it can be aborted while it waits. */
function bodyOf({ body }: Request): Readable {
  return body ? Readable.fromWeb(body as unknown as NodeReadableStream) : Readable.from([]);
}

function openParser(type: string): busboy.Busboy {
  try {
    const headers = { "content-type": type };
    // Browsers send file names in UTF-8. `cleanFileName` removes a path in them.
    return busboy({ headers, limits: LIMITS, defParamCharset: "utf8", preservePath: true });
  } catch {
    throw unreadable();
  }
}

async function write(
  stream: NodeJS.ReadableStream,
  path: string,
  maxBytes: number,
  tooLarge: () => Refusal,
): Promise<number> {
  const out = createWriteStream(path, { flags: "wx", mode: 0o600 });
  await pipeline(stream, bound(maxBytes, tooLarge), out);
  return out.bytesWritten;
}

/** Passes bytes through, up to a limit. */
function bound(maxBytes: number, tooLarge: () => Refusal, onBytes = () => {}): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      onBytes();
      size += chunk.length;
      if (size > maxBytes) done(tooLarge());
      else done(null, chunk);
    },
  });
}

/** Browsers escape only these three characters, not even `%` (HTML, multipart form data). */
function unescaped(name: string): string {
  return name.replace(/%(22|0D|0A)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function mediaType(header: string): string {
  const type = header.toLowerCase();
  return MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

/** True for an error of the disk, rather than a body that was cut off. */
function isSystemError(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== "ECONNRESET";
}

function unreadable(): Refusal {
  return new Refusal("bad_request", "The body is not whole multipart/form-data.");
}
