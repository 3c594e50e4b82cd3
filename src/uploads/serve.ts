import type { SqlClient } from "../database/connect.ts";
import { isUnchanged, rangeOf } from "../platform/conditional.ts";
import { attachment } from "../platform/file-names.ts";
import { problemResponse } from "../platform/problem.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { checkSeat } from "../rooms/access.ts";

/** What people upload is never a page of ours: it runs nothing and loads nothing. */
const HARMLESS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

/** Bytes of the storage. */
type Found = { sha256: Buffer; size_bytes: number };
type Sent = { mime: string; disposition: string; cacheControl: string };

/** One image of a room, as an answer to a member. */
export type ImageRequest = {
  actorId: string;
  roomId: string;
  sha256: string;
  isThumb: boolean;
  request: Request;
};

/**
 * Its bytes are its address, so a browser may keep it; who may read it is asked each time that one
 * does not.
 * @throws Refusal of `checkSeat`; `not_found`
 */
export async function serveImage(
  sql: SqlClient,
  storage: Storage,
  { actorId, roomId, sha256, isThumb, request }: ImageRequest,
): Promise<Response> {
  await checkSeat(sql, actorId, roomId, "member");
  const [found] = await sql<(Found & { mime: string })[]>`
    select b.sha256, b.size_bytes, case b.sha256 when i.sha256 then i.mime else 'image/webp' end as mime
    from message_images i
    join blobs b on b.sha256 = case when ${isThumb} then coalesce(i.thumb_sha256, i.sha256) else i.sha256 end
    where i.room_id = ${roomId} and i.sha256 = ${Buffer.from(sha256, "hex")} limit 1`;
  if (!found) throw new Refusal("not_found", "There is no such image in this room.");
  return serve(request, storage, found, {
    mime: found.mime,
    disposition: "inline",
    cacheControl: "private, max-age=31536000, immutable",
  });
}

/** One file of a room, as an answer to a member. */
export type FileRequest = { actorId: string; roomId: string; fileId: string; request: Request };

/** @throws Refusal of `checkSeat`; `not_found` */
export async function serveFile(
  sql: SqlClient,
  storage: Storage,
  { actorId, roomId, fileId, request }: FileRequest,
): Promise<Response> {
  await checkSeat(sql, actorId, roomId, "member");
  const [found] = await sql<(Found & { mime: string; name: string })[]>`
    select sha256, size_bytes, mime, name from message_files
    where id = ${fileId} and room_id = ${roomId}`;
  if (!found) throw new Refusal("not_found", "There is no such file in this room.");
  return serve(request, storage, found, {
    mime: found.mime,
    disposition: attachment(found.name),
    cacheControl: "private, no-cache",
  });
}

/** Bytes of the storage as an answer, once their caller has been let through, and not before. */
export async function serve(
  request: Request,
  storage: Storage,
  { sha256, size_bytes: size }: Found,
  { mime, disposition, cacheControl }: Sent,
): Promise<Response> {
  const key = sha256.toString("hex");
  const etag = `"${key}"`;
  const headers: Record<string, string> = { etag, "cache-control": cacheControl, ...HARMLESS };
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers });
  headers["accept-ranges"] = "bytes";
  const range = rangeOf(request, size, etag);
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

/** RFC 9110, 14.4: the answer says how long it is. */
function unsatisfiable(size: number): Response {
  const detail = `The range lies outside of the ${size} bytes that there are.`;
  const response = problemResponse(new Refusal("range_not_satisfiable", detail));
  response.headers.set("content-range", `bytes */${size}`);
  return response;
}

/**
 * Bun cuts a range out of a file by itself, and does not ask for `If-Range` first. Where a range was
 * asked for and all of it is the answer, the file is hidden from it in a stream.
 */
function wholeBody(request: Request, body: Blob | ReadableStream<Uint8Array>) {
  if (!(body instanceof Blob) || !request.headers.has("range")) return body;
  return body.stream().pipeThrough(new TransformStream());
}
