import { parseJson } from "../platform/json.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_JSON_BYTES } from "../wire/limits.ts";

/**
 * Reads a JSON body, bounded, as it arrives.
 * @returns undefined for an empty body, which may name any media type or none
 * @throws Refusal `bad_request`, `unsupported_media_type`, `too_large`, `validation`
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = await readText(request);
  if (text === "") return undefined;
  if (type !== "application/json") {
    throw new Refusal("unsupported_media_type", "Send the body as application/json.");
  }
  return parseJson(text);
}

async function readText(request: Request): Promise<string> {
  const max = `${MAX_JSON_BYTES / 1024} KiB`;
  const tooLarge = () => new Refusal("too_large", `A JSON body holds at most ${max}.`);
  if (Number(request.headers.get("content-length") ?? 0) > MAX_JSON_BYTES) throw tooLarge();
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_JSON_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal("bad_request", "The body is not UTF-8.");
  }
}
