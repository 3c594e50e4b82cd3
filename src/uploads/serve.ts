import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { blobs, messageFiles, messageImages } from "../database/schema.ts";
import { matchesEtag, parseRange } from "../platform/http/conditional.ts";
import { formatAttachment } from "../platform/input/file-names.ts";
import { problemResponse } from "../platform/http/problem.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { requireMembership } from "../rooms/access.ts";
import { isPdf } from "../wire/files.ts";
import type { StoredBlob } from "./blobs.ts";

/** Prevents an upload that is opened as a page from running scripts or loading anything. */
const SANDBOX = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

const PDF = "application/pdf";
/**
 * Policy for PDFs in the browser's viewer, which does not run in this origin. Frames of this origin may
 * embed it; `sandbox` would break some viewers.
 */
const VIEWER = {
  ...SANDBOX,
  "content-security-policy":
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
};

/**
 * For responses that only some people may see: the browser may store them but must revalidate each
 * time, which costs a "304 Not Modified" without the bytes. Otherwise the next person at a shared
 * computer could see them. `Clear-Site-Data: "cache"` at sign-out is no replacement: Firefox before 138
 * and plain http ignore it, and Chromium hangs for seconds.
 */
export const PRIVATE = "private, no-cache";

type ServedFile = {
  mime: string;
  disposition?: string;
  cacheControl: string;
  /** The response's Content-Security-Policy; `SANDBOX` by default. */
  policy?: Record<string, string>;
};

type ImageRequest = {
  actorId: string;
  roomId: string;
  sha256: string;
  isThumb: boolean;
  request: Request;
};

/** @throws Refusal of `requireMembership`; `not_found` */
export async function serveImage(
  { db, sql: client }: Database,
  storage: Storage,
  { actorId, roomId, sha256, isThumb, request }: ImageRequest,
): Promise<Response> {
  await requireMembership(client, actorId, roomId, "member");
  const { sha256: original, thumbSha256, mime } = messageImages;
  const [image] = await db
    .select({
      sha256: blobs.sha256,
      sizeBytes: blobs.sizeBytes,
      mime: sql<string>`case ${blobs.sha256} when ${original} then ${mime} else 'image/webp' end`,
    })
    .from(messageImages)
    .innerJoin(
      blobs,
      eq(blobs.sha256, isThumb ? sql`coalesce(${thumbSha256}, ${original})` : original),
    )
    .where(and(eq(messageImages.roomId, roomId), eq(original, Buffer.from(sha256, "hex"))))
    .limit(1);
  if (!image) throw new Refusal("not_found", "There is no such image in this room.");
  return serveBlob(request, storage, image, { mime: image.mime, cacheControl: PRIVATE });
}

type FileRequest = {
  actorId: string;
  roomId: string;
  fileId: string;
  /** Whether to show the file inline, which is allowed only for PDFs. */
  isView: boolean;
  request: Request;
};

/** @throws Refusal of `requireMembership`; `not_found` */
export async function serveFile(
  { db, sql: client }: Database,
  storage: Storage,
  { actorId, roomId, fileId, isView, request }: FileRequest,
): Promise<Response> {
  await requireMembership(client, actorId, roomId, "member");
  const { sha256, sizeBytes, mime, name } = messageFiles;
  const [file] = await db
    .select({ sha256, sizeBytes, mime, name })
    .from(messageFiles)
    .where(and(eq(messageFiles.id, fileId), eq(messageFiles.roomId, roomId)));
  if (!file) throw new Refusal("not_found", "There is no such file in this room.");
  const attachment = formatAttachment(file.name);
  const isShown = isView && isPdf(file.mime);
  return serveBlob(request, storage, file, {
    mime: isShown ? PDF : file.mime,
    disposition: isShown ? attachment.replace(/^attachment/, "inline") : attachment,
    cacheControl: PRIVATE,
    policy: isShown ? VIEWER : SANDBOX,
  });
}

/** The caller must have checked access: even "304 Not Modified" reveals that the bytes exist. */
export async function serveBlob(
  request: Request,
  storage: Storage,
  { sha256, sizeBytes: size }: StoredBlob,
  { mime, disposition = "inline", cacheControl, policy = SANDBOX }: ServedFile,
): Promise<Response> {
  const key = sha256.toString("hex");
  const etag = `"${key}"`;
  const headers: Record<string, string> = { etag, "cache-control": cacheControl, ...policy };
  if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers });
  headers["accept-ranges"] = "bytes";
  const range = parseRange(request, size, etag);
  if (range === "unsatisfiable") return unsatisfiable(size);
  Object.assign(headers, { "content-type": mime, "content-disposition": disposition });
  if (request.method === "HEAD") {
    requestInfo(request).length = size;
    return new Response(null, { headers });
  }
  const body = await storage.open(key, range ?? undefined);
  if (!body) throw new Error(`The storage has lost ${key}.`);
  if (!range) return new Response(wholeBody(request, body), { headers });
  headers["content-range"] = `bytes ${range.start}-${range.end - 1}/${size}`;
  return new Response(body, { status: 206, headers });
}

/** Builds the 416 response, which includes the total size (RFC 9110, 14.4). */
function unsatisfiable(size: number): Response {
  const detail = `The range is outside of the file's ${size} bytes.`;
  const response = problemResponse(new Refusal("range_not_satisfiable", detail));
  response.headers.set("content-range", `bytes */${size}`);
  return response;
}

/**
 * Bun applies the `Range` of a request to a file by itself, without checking `If-Range`. Wrapping the
 * file in a stream prevents that when the complete file must be sent.
 */
function wholeBody(request: Request, body: Blob | ReadableStream<Uint8Array>) {
  if (!(body instanceof Blob) || !request.headers.has("range")) return body;
  return body.stream().pipeThrough(new TransformStream());
}
