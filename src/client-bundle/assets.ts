import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { matchesEtag } from "../platform/http/conditional.ts";

export type Encoding = "br" | "gzip";

export type Asset = {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  etag: string;
  /** Whether the name contains a content hash, so that the file may be cached forever. */
  immutable: boolean;
  /** The compressed variants built or requested so far. */
  encodings: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
};

/** Creates an asset. Browsers revalidate it on each use unless its name contains a hash. */
export function toAsset(
  body: Uint8Array<ArrayBuffer>,
  type: string,
  path: string,
  encodings: Asset["encodings"] = {},
): Asset {
  const etag = `"${Bun.hash(body).toString(36)}"`;
  return { body, type, etag, immutable: path.startsWith("/assets/"), encodings };
}

export function serveAsset(request: Request, asset: Asset): Response {
  const headers = new Headers({
    "content-type": asset.type,
    etag: asset.etag,
    vary: "accept-encoding",
    "cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
  });
  if (matchesEtag(request, asset.etag)) return new Response(null, { status: 304, headers });
  const encoding = chooseEncoding(request.headers.get("accept-encoding") ?? "");
  if (encoding) headers.set("content-encoding", encoding);
  if (encoding) asset.encodings[encoding] ??= compressBytes(asset.body, encoding);
  const body = (encoding && asset.encodings[encoding]) ?? asset.body;
  if (request.method === "HEAD") headers.set("content-length", String(body.byteLength));
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

function chooseEncoding(acceptEncoding: string): Encoding | null {
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?\b)/i.test(acceptEncoding)) return "br";
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?\b)/i.test(acceptEncoding) ? "gzip" : null;
}

/** @param quality of Brotli: 11 takes seconds for a large file */
export function compressBytes(
  body: Uint8Array,
  encoding: Encoding,
  quality = 9,
): Uint8Array<ArrayBuffer> {
  if (encoding === "gzip") return new Uint8Array(gzipSync(body, { level: 9 }));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
  };
  return new Uint8Array(brotliCompressSync(body, { params }));
}
