import { type TSchema, Type as t } from "@sinclair/typebox";
import { SHA256_PATTERN, UUID_PATTERN } from "../patterns.ts";

/** The parts of models, and pages of lists. */

export const Nullable = <T extends TSchema>(schema: T) => t.Union([schema, t.Null()]);
export const Id = t.String({ pattern: UUID_PATTERN, description: "UUIDv7", expected: "a UUID" });
export const Sha256 = t.String({ pattern: SHA256_PATTERN, description: "SHA-256 in hex" });
export const Timestamp = t.String({ description: "ISO 8601, UTC, ending in Z" });

/** One type for all numbers of logs: no room can have a larger one. */
export const Seq = t.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Counts the events of one room, without gaps",
});
export const Version = t.Integer({
  minimum: 0,
  description: "Of two responses, the newer one has the higher version",
});

/** One page of a list: pass `next` as `?cursor=` to get the next one. */
export const Page = <T extends TSchema>(item: T) =>
  t.Object({ items: t.Array(item), next: Nullable(t.String()) });

export type Page<T> = { items: T[]; next: string | null };
