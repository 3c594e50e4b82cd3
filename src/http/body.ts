import { Elysia } from "elysia";
import { parseJson } from "../platform/json.ts";
import { Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/request-info.ts";
import { MAX_JSON_BYTES } from "../wire/limits.ts";

const leftAlone = new Set<string>();

/** Notes which of the app's routes read their body themselves: those that say `parse: "none"`. */
export function leaveBodies(routes: { method: string; path: string; hooks: unknown }[]): void {
  for (const { method, path, hooks } of routes) {
    const { parse } = (hooks ?? {}) as { parse?: { fn: unknown }[] };
    if (parse?.some(({ fn }) => fn === "none")) leftAlone.add(`${method} ${path}`);
  }
}

/** Reads JSON bodies ourselves: bounded, and free of text that cannot be stored. */
export function jsonBodies() {
  return new Elysia({ name: "json-bodies" }).onParse(
    { as: "global" },
    async ({ request, route }) => {
      // Here already: what is refused while it is read is logged and counted by its route.
      requestInfo(request).route = route;
      // Anything but undefined: no other parser is asked.
      if (leftAlone.has(`${request.method} ${route}`)) return null;
      const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
      const text = await readText(request);
      // A POST without a body may name any type or none.
      if (text === "") return undefined;
      if (type !== "application/json") {
        throw new Refusal("unsupported_media_type", "Send the body as application/json.");
      }
      return parseJson(text);
    },
  );
}

async function readText(request: Request): Promise<string> {
  const most = `${MAX_JSON_BYTES / 1024} KiB`;
  const tooLarge = () => new Refusal("too_large", `A JSON body holds at most ${most}.`);
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
