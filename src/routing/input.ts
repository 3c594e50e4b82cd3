import { type TObject, type TSchema, Type as t } from "@sinclair/typebox";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { requestInfo } from "../platform/http/request-info.ts";
import { compileShape, type Shape } from "../platform/input/shape.ts";
import { Id } from "../wire/models.ts";
import type { AnyRoute } from "./route.ts";
import { parseJson } from "../platform/input/json.ts";
import { MAX_JSON_BYTES } from "../wire/limits.ts";

export type Input = { params: Record<string, string>; query: unknown; body: unknown };

/**
 * The schema of the path's parameters, which are ids unless the route declares them; undefined for
 * a path without parameters.
 */
export function paramsOf({ path, params = {} }: AnyRoute): TObject | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  const schemas = params as Record<string, TSchema>;
  return t.Object(Object.fromEntries(names.map((name) => [name, schemas[name] ?? Id])));
}

/**
 * Compiles a route's schemas into the function that reads and checks its input. That function throws
 * Refusal `not_found` for an invalid id in the path, `validation`, and those of `readJsonBody`.
 */
export function createReader(
  route: AnyRoute,
): (request: Request, pathParams: object) => Promise<Input> {
  const { query, body } = route;
  const paramsSchema = paramsOf(route);
  const ids = Object.entries(paramsSchema?.properties ?? {}).flatMap(([name, schema]) =>
    schema === Id ? [name] : [],
  );
  const params = paramsSchema && (compileShape(paramsSchema) as Shape<Record<string, string>>);
  const queryShape = query && compileShape(query as TObject);
  const bodySchema = typeof body === "object" ? (body as TSchema) : undefined;
  const bodyShape = bodySchema && compileShape(bodySchema);
  const isOptional = bodySchema !== undefined && Symbol.for("TypeBox.Optional") in bodySchema;
  return async (request, pathParams) => {
    const input: Input = { params: {}, query: undefined, body: undefined };
    if (params) {
      input.params = readParams(params, pathParams);
      requestInfo(request).ids = Object.fromEntries(ids.map((id) => [id, input.params[id] ?? ""]));
    }
    if (queryShape) input.query = queryShape.read(readQuery(query as TObject, request.url));
    if (bodyShape) {
      const value = await readJsonBody(request);
      if (value !== undefined || !isOptional) input.body = bodyShape.read(value);
    }
    return input;
  };
}

/** @throws Refusal `not_found` for an invalid id, as for an id that does not exist */
function readParams(shape: Shape<Record<string, string>>, pathParams: object) {
  try {
    return shape.read(pathParams);
  } catch {
    throw new Refusal("not_found", "There is nothing at this address.");
  }
}

const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * Reads a URL's query parameters that the schema names. Integers are converted, absent parameters get
 * their defaults, and those that can be repeated become lists.
 * @throws Refusal `validation` for a repeated parameter
 */
function readQuery(schema: TObject, url: string): Record<string, unknown> {
  const start = url.indexOf("?");
  const search = new URLSearchParams(start === -1 ? "" : url.slice(start));
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const values = search.getAll(name);
    if (property.type === "array") {
      if (values.length > 0) query[name] = values;
      continue;
    }
    const [text, ...others] = values;
    if (others.length > 0)
      throw makeFieldRefusal(`/${name}`, `\`${name}\` can only be given once.`);
    if (text !== undefined) {
      const isNumber = property.type === "integer" && WHOLE_NUMBER.test(text);
      query[name] = isNumber ? Number(text) : text;
    } else if (property.default !== undefined) {
      query[name] = property.default;
    }
  }
  return query;
}

/**
 * Reads a JSON body of limited size.
 * @returns undefined for an empty body, with any or no content type
 * @throws Refusal `bad_request`, `unsupported_media_type`, `too_large`, `validation`
 */
async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = decodeUtf8(await readBody(request, MAX_JSON_BYTES));
  if (text === "") return undefined;
  if (type !== "application/json") {
    throw new Refusal("unsupported_media_type", "Send the body as application/json.");
  }
  return parseJson(text);
}

/**
 * Reads a body of a declared length at once, and any other as it arrives until it is too large.
 * @throws Refusal `too_large`
 */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new Refusal("too_large", `A JSON body can be at most ${maxBytes / 1024} KiB.`);
  const length = request.headers.get("content-length");
  if (Number(length) > maxBytes) throw tooLarge();
  // Bun reads no more than the declared length. Reading at once takes 3 µs of CPU, a stream 13 µs.
  if (length !== null) return Buffer.from(await request.arrayBuffer());
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
