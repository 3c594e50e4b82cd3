import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { parseJson } from "../platform/json.ts";
import { Refusal } from "../platform/refusal.ts";
import { FRAMES, type Frame } from "../wire/frames.ts";

const checks = new Map<string, ReturnType<typeof TypeCompiler.Compile>>(
  Object.entries(FRAMES).map(([type, schema]) => [type, TypeCompiler.Compile<TSchema>(schema)]),
);

/** The caller's own words in a frame, to be given back with the answer. */
export type Echo = { ref?: string; client_id?: string };

/**
 * Parses a frame from a client.
 * @param echo filled with the frame's `ref` and `client_id` as soon as they are known
 * @throws Refusal `bad_request` for what is no JSON object or of no known type, `validation`
 */
export function parseFrame(data: string | Buffer, echo: Echo): Frame {
  if (typeof data !== "string") {
    throw new Refusal("bad_request", "A frame is text that holds one JSON object.");
  }
  const value = parseJson(data);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal("bad_request", "A frame is one JSON object.");
  }
  const frame = value as Record<string, unknown>;
  if (typeof frame.ref === "string") echo.ref = frame.ref.slice(0, 100);
  if (typeof frame.client_id === "string") echo.client_id = frame.client_id.slice(0, 100);
  const check = typeof frame.type === "string" ? checks.get(frame.type) : undefined;
  if (!check) throw new Refusal("bad_request", "The frame's type is unknown.");
  if (check.Check(value)) return value as Frame;
  const errors = [...check.Errors(value)]
    .slice(0, 10)
    .map(({ path, message }) => ({ path, message }));
  throw new Refusal("validation", `${errors[0]?.path}: ${errors[0]?.message}`, { errors });
}
