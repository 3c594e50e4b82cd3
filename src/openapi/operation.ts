import type { TSchema } from "@sinclair/typebox";
import type { Code } from "../wire/codes.ts";

/** An answer that is no JSON. */
export type Media = { media: string; description: string };

/** What is to be said of a route beside what the route says itself. */
export type Operation = {
  summary: string;
  description?: string;
  /** By status; null for one without a body. */
  answers: Record<number, TSchema | Media | null>;
  /** Refusals of its own. Those of a kind of route are added by rule: see `document.ts`. */
  errors?: Code[];
  /** A body that is no JSON. */
  body?: "file" | "hook";
};

/** Routes by method and path, as the app names them. */
export type Operations = Record<string, Operation>;

export function isMedia(answer: TSchema | Media): answer is Media {
  return "media" in answer;
}
