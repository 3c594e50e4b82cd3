import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import busboy from "busboy";
import { cleanFileName } from "../input/file-names.ts";
import { makeFieldRefusal, Refusal } from "../refusal.ts";

/** The form field to read; other parts are skipped. */
const PART = "file";
/** Maximum bytes of the rest of the body: boundaries, headers, and other small parts. */
const MAX_OTHER_BYTES = 64 * 1_024;
const LIMITS = { files: 4, fields: 20, fieldSize: 1_024, parts: 24, headerPairs: 32 };
const UNKNOWN_TYPE = "application/octet-stream";
/** A media type (RFC 9110, 8.3.1) with names as restricted by RFC 6838. */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/;

export type ReceivedFile = {
  /** A sanitized name that is safe to store and show. */
  name: string;
  /** The sender's media type, without parameters. */
  mime: string;
  sizeBytes: number;
};

type Bounds = {
  maxBytes: number;
  makeTooLargeRefusal: () => Refusal;
  /** Idle time in seconds after which the body is aborted. */
  idleSeconds: number;
};

/**
 * Streams the part `file` of a `multipart/form-data` body (RFC 7578) to a new file. Stops as soon as
 * the body exceeds the limit, by its Content-Length or its actual size. After a refusal the caller must
 * delete the partial file.
 * @param path of a file that does not exist
 * @throws Refusal `unsupported_media_type`, `bad_request`, `validation`, and the error of `makeTooLargeRefusal`
 */
export async function receiveFile(
  request: Request,
  path: string,
  { maxBytes, makeTooLargeRefusal, idleSeconds }: Bounds,
): Promise<ReceivedFile> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw new Refusal("unsupported_media_type", "Send the file as multipart/form-data.");
  }
  const maxBodyBytes = maxBytes + MAX_OTHER_BYTES;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes)
    throw makeTooLargeRefusal();
  const parser = openParser(type);
  let receipt: Promise<ReceivedFile> | undefined;
  parser.on("file", (part, stream, info) => {
    if (part !== PART || receipt) {
      stream.resume();
      return;
    }
    receipt = write(stream, path, maxBytes, makeTooLargeRefusal).then((sizeBytes) => ({
      name: cleanFileName(unescapeName(info.filename ?? "")),
      mime: mediaType(info.mimeType),
      sizeBytes,
    }));
    // Ends the parser with the same error, which is caught below.
    receipt.catch((error) => parser.destroy(error));
  });
  const idleTimeout = new AbortController();
  const timer = setTimeout(() => idleTimeout.abort(), idleSeconds * 1_000);
  const counter = limitBytes(maxBodyBytes, makeTooLargeRefusal, () => timer.refresh());
  try {
    await pipeline(bodyOf(request), counter, parser, { signal: idleTimeout.signal });
  } catch (error) {
    // The file's error is either the cause or a consequence of the parser's.
    await receipt?.catch(() => {});
    throw error instanceof Refusal || isSystemError(error) ? error : makeUnreadableRefusal();
  } finally {
    clearTimeout(timer);
  }
  if (!receipt) throw makeFieldRefusal(`/${PART}`, `There is no part "${PART}" with a file name.`);
  return receipt;
}

/** Converts the body to a Node.js stream, which can be aborted while it waits, unlike an iterator. */
function bodyOf({ body }: Request): Readable {
  return body ? Readable.fromWeb(body as unknown as NodeReadableStream) : Readable.from([]);
}

function openParser(type: string): busboy.Busboy {
  try {
    const headers = { "content-type": type };
    // Browsers send file names in UTF-8. `cleanFileName` removes any path.
    return busboy({ headers, limits: LIMITS, defParamCharset: "utf8", preservePath: true });
  } catch {
    throw makeUnreadableRefusal();
  }
}

async function write(
  stream: NodeJS.ReadableStream,
  path: string,
  maxBytes: number,
  makeTooLargeRefusal: () => Refusal,
): Promise<number> {
  const out = createWriteStream(path, { flags: "wx", mode: 0o600 });
  await pipeline(stream, limitBytes(maxBytes, makeTooLargeRefusal), out);
  return out.bytesWritten;
}

function limitBytes(
  maxBytes: number,
  makeTooLargeRefusal: () => Refusal,
  onBytes = () => {},
): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      onBytes();
      size += chunk.length;
      if (size > maxBytes) done(makeTooLargeRefusal());
      else done(null, chunk);
    },
  });
}

/**
 * Undoes the escaping of names by browsers, which escape only these three characters, not even `%`
 * (HTML, multipart form data).
 */
function unescapeName(name: string): string {
  return name.replace(/%(22|0D|0A)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function mediaType(header: string): string {
  const type = header.toLowerCase();
  return MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

/** Whether the error is a disk error rather than a truncated body. */
function isSystemError(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== "ECONNRESET";
}

function makeUnreadableRefusal(): Refusal {
  return new Refusal("bad_request", "The body is not complete multipart/form-data.");
}
