import { parseJson } from "../platform/json.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_JSON_BYTES } from "../wire/limits.ts";

/**
 * Reads a JSON body of limited size.
 * @returns undefined for an empty body, with any or no content type
 * @throws Refusal `bad_request`, `unsupported_media_type`, `too_large`, `validation`
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = decodeUtf8(await readBody(request, MAX_JSON_BYTES));
  if (text === "") return undefined;
  if (type !== "application/json") {
    throw new Refusal("unsupported_media_type", "Send the body as application/json.");
  }
  return parseJson(text);
}

/**
 * Reads a body as it arrives, and stops when it is too large.
 * @throws Refusal `too_large`
 */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new Refusal("too_large", `A JSON body can be at most ${maxBytes / 1024} KiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("bad_request", "The body is not UTF-8.");
  }
}
