import type { TSchema } from "@sinclair/typebox";
import { parseJson } from "../platform/json.ts";
import { Refusal } from "../platform/refusal.ts";
import { compileShape, type Shape } from "../platform/shape.ts";
import { FRAMES, type Frame } from "../wire/frames.ts";

const shapes = new Map<string, Shape<unknown>>(
  Object.entries(FRAMES).map(([type, { schema }]) => [type, compileShape<TSchema>(schema)]),
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
  const shape = typeof frame.type === "string" ? shapes.get(frame.type) : undefined;
  if (!shape) throw new Refusal("bad_request", "The frame's type is unknown.");
  return shape.read(value) as Frame;
}
