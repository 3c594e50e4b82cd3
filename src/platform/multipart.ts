import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import busboy from "busboy";
import { cleanFileName } from "./file-names.ts";
import { invalid, Refusal } from "./refusal.ts";

/** The part that is read; others are passed over. */
const PART = "file";
/** What a body may hold beside the file: boundaries, headers, other small parts. */
const MOST_AROUND = 64 * 1_024;
const LIMITS = { files: 4, fields: 20, fieldSize: 1_024, parts: 24, headerPairs: 32 };
const UNKNOWN_TYPE = "application/octet-stream";
/** type "/" subtype (RFC 9110, 8.3.1), of names as RFC 6838 allows them. */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/;

/** A file as it came, at the path it was to be written to. */
export type Received = {
  /** Clean: a single name that can be kept and shown. */
  name: string;
  /** What its sender says it is, without parameters. */
  mime: string;
  sizeBytes: number;
};

/** What a body keeps to. */
export type Bounds = {
  maxBytes: number;
  /** Made and thrown where the file is longer. */
  tooLarge: () => Refusal;
  /** When a body of which nothing comes any more is given up. */
  idleSeconds: number;
};

/**
 * Writes the part `file` of a `multipart/form-data` body (RFC 7578) to a new file, some bytes at a
 * time. It stops at the first sign of a body that is too large: its announced length, else its count.
 * What it leaves on a refusal is half a file, which is the caller's to delete.
 * @param path of a file that is not there
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
  const mostBytes = maxBytes + MOST_AROUND;
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge();
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
    // Ends the parsing too, with the reason; heard below.
    received.catch((error) => parser.destroy(error));
  });
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), idleSeconds * 1_000);
  const counted = bound(mostBytes, tooLarge, () => timer.refresh());
  try {
    await pipeline(bodyOf(request), counted, parser, { signal: stalled.signal });
  } catch (error) {
    // The file's own failure is the cause of the parser's, or comes of it.
    await received?.catch(() => {});
    throw error instanceof Refusal || isSystemError(error) ? error : unreadable();
  } finally {
    clearTimeout(timer);
  }
  if (!received) throw invalid(`/${PART}`, `There is no part "${PART}" with a file name.`);
  return received;
}

/** As a stream of Node's: unlike an iterator it can be given up while it waits for more. */
function bodyOf({ body }: Request): Readable {
  return body ? Readable.fromWeb(body as unknown as NodeReadableStream) : Readable.from([]);
}

function openParser(type: string): busboy.Busboy {
  try {
    const headers = { "content-type": type };
    // File names come in UTF-8, which browsers send as it is; the path in them is cut by ourselves.
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

/** Passes bytes on, and fails with the first that is too many. */
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

/** Browsers write these three so, and no others, not even `%` (HTML, multipart form data). */
function unescaped(name: string): string {
  return name.replace(/%(22|0D|0A)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function mediaType(given: string): string {
  const type = given.toLowerCase();
  return MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

/** Of the disk: full, not writable. Not the sender's fault, as a body that breaks off is. */
function isSystemError(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== "ECONNRESET";
}

function unreadable(): Refusal {
  return new Refusal("bad_request", "The body is not whole multipart/form-data.");
}
