import type { TSchema } from "@sinclair/typebox";
import { UUID_PATTERN } from "../../src/wire/patterns.ts";
import type { Json } from "./client.ts";

const deep = (levels: number): Json => (levels === 0 ? 1 : [deep(levels - 1)]);

/** What breaks a reader that trusts: of each type, at each edge. */
const VALUES: Json[] = [
  null,
  true,
  [],
  {},
  [null],
  deep(28),
  Array(2_000).fill("x"),
  { length: 5_000_000 },
  { length: 1e9, 0: "x" },
  { toString: "x", valueOf: "y" },
  { toString: { length: 1e9 }, toJSON: "x" },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":null}}'),
  -1,
  0,
  1.5,
  1e20,
  2 ** 53,
  Number.MAX_VALUE,
  "",
  " ",
  "x",
  "0",
  "-1",
  "1e20",
  "9223372036854775807",
  "9223372036854775808",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-14:00",
  "9999-12-31T23:59:59.999999999Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T00:00:00+99:99",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "constructor",
  "__proto__",
  "toString",
  "\0",
  "\ud800",
  "\u200b",
  "\u202e",
  "😀".repeat(8_001),
  "a".repeat(20_000),
  "((((".repeat(2_000),
  "[a](".repeat(1_500),
  "@".repeat(4_000),
  "'; drop table users; --",
  "%_\\",
  "%00",
  "../../etc/passwd",
  "http://[::1",
  "http://0x7f.1/",
  "https://user:pass@example.org:99999/",
  "x@y.zz\r\nbcc: all@example.org",
  "snug_x",
  // Cursors: of an id, a name, a number, and of nothing that is text.
  Buffer.from("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF").toString("base64url"),
  Buffer.from("zzz").toString("base64url"),
  Buffer.from("9223372036854775808").toString("base64url"),
  "_____w",
];

/** Headers that something here reads. */
const HEADERS = [
  "x-forwarded-for",
  "x-request-id",
  "if-none-match",
  "range",
  "if-range",
  "user-agent",
  "accept-encoding",
  "x-hub-signature-256",
];
const HEADER_TEXTS = [
  "127.evil",
  "*",
  "bytes=9223372036854775807-",
  "bytes=-1e20",
  "bytes=5-2,7-",
  "x".repeat(8_000),
  ",".repeat(4_000),
  '"'.repeat(4_000),
  "constructor",
  "-1",
  "é",
];

/** One header with a text that a reader may not expect. */
export function hostileHeader(random: () => number): Record<string, string> {
  const name = HEADERS[Math.floor(random() * HEADERS.length)] ?? "range";
  return { [name]: HEADER_TEXTS[Math.floor(random() * HEADER_TEXTS.length)] ?? "" };
}

export function hostileValue(random: () => number): Json {
  return VALUES[Math.floor(random() * VALUES.length)];
}

/**
 * A value that a schema takes, so that a hostile one in it meets rules and not the check alone.
 * @param ids to choose from where an id is wanted
 */
export function sampleOf(schema: TSchema, ids: string[], random: () => number): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return sampleOf(schema.anyOf[0], ids, random);
  switch (schema.type) {
    case "object": {
      const all: [string, TSchema][] = Object.entries(schema.properties);
      // What may be left out sometimes is, or one field that no rule takes would hide all others.
      const entries = all.filter(([name]) => schema.required?.includes(name) || random() < 0.4);
      return Object.fromEntries(entries.map(([name, one]) => [name, sampleOf(one, ids, random)]));
    }
    case "array":
      return [sampleOf(schema.items, ids, random)];
    case "integer":
      return schema.minimum ?? 1;
    case "boolean":
      return random() < 0.5;
    default:
      return textOf(schema, ids, random);
  }
}

const DAY_MS = 86_400_000;

function textOf({ pattern, minLength }: TSchema, ids: string[], random: () => number): string {
  if (pattern?.includes(UUID_PATTERN)) return ids[Math.floor(random() * ids.length)] ?? "";
  const candidates = [
    "fuzzed",
    new Date(Date.now() + DAY_MS).toISOString(),
    "#123456",
    "a@example.org",
    "https://example.org/x",
  ];
  if (pattern)
    return candidates.find((candidate) => new RegExp(pattern).test(candidate)) ?? "fuzzed";
  return minLength && minLength > 6 ? "correct horse battery" : "fuzzed";
}

/** A copy of a value in which one part, at any depth, is hostile. */
export function spoil(value: Json, random: () => number): Json {
  const isNested = typeof value === "object" && value !== null;
  const names = isNested ? Object.keys(value) : [];
  const name = names[Math.floor(random() * names.length)];
  if (name === undefined || random() < 0.1) return hostileValue(random);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name as never] = spoil(value[name], random) as never;
  return copy;
}
