import { type TSchema, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/**
 * A backup is a tar archive, optionally encrypted with age. Its entries come in this order:
 *
 * - `snug.json`: the `Head`;
 * - `database/<table>/<number>.copy.zst`: the output of COPY in text format, split at arbitrary bytes
 *   into chunks. Each chunk is compressed separately, because tar needs an entry's size before its
 *   content;
 * - `uploads/<sha256>`: the content of an upload, or `uploads/list/<number>.txt`: the keys and sizes of
 *   uploads that are stored in a folder beside the archive;
 * - `end.json`: the `Tail`. An archive without it is incomplete.
 *
 * A backup can be read with tar, zstd, age and psql, without Snug.
 */
export const HEAD = "snug.json";
export const TAIL = "end.json";
export const FORMAT = 1;
/** Size of a chunk before compression. */
export const PIECE_BYTES = 4 * 1_024 ** 2;

/** Maximum sizes in bytes of `snug.json`, `end.json` and one list of uploads. */
export const MAX_BYTES = { head: 1_024 ** 2, tail: 24 * 1_024 ** 2, list: 8 * 1_024 ** 2 };
export const LIST_LENGTH = 50_000;
/** Maximum numbers of entries other than uploads, and of missing uploads: `end.json` lists all of them. */
export const MAX_PARTS = 100_000;
export const MAX_MISSING = 100_000;

export type AppliedMigration = { hash: string; created_at: number };

export type Table = { name: string; columns: string[] };

export type Head = {
  format: number;
  snug: string;
  created_at: string;
  migrations: AppliedMigration[];
  tables: Table[];
  uploads: "inside" | "beside";
  /** The keys that encrypt secrets in the database, in base64; null if SECRET_KEY is set. */
  secret_keys: string[] | null;
};

export type Tail = {
  rows: Record<string, number>;
  sequences: { name: string; last_value: string | null }[];
  /** SHA-256 in hex of each entry except uploads, which are named by their hash. */
  sums: Record<string, string>;
  uploads: { count: number; bytes: number };
  /** Keys of uploads that were missing or damaged in the storage. */
  missing: string[];
};

/** A backup cannot be written, read or restored. The message is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/**
 * The error for an incomplete or damaged backup. Control characters in `problem` are replaced,
 * because it may quote the file.
 */
export function createDamagedError(problem: string): BackupError {
  const printable = problem.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return new BackupError(`This is not a whole backup: ${printable}.`);
}

/** The name of a numbered entry, such as `uploads/list/000001.txt`. */
export const pieceName = (folder: string, number: number, suffix: string) =>
  `${folder}/${String(number).padStart(6, "0")}${suffix}`;

export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** Maximum number of objects and arrays in `snug.json` or `end.json`, to limit the memory for parsing. */
const MAX_CONTAINERS = 10_000;

const sha = t.String({ pattern: "^[0-9a-f]{64}$" });
const name = t.String({ pattern: "^[a-z_][a-z0-9_]{0,62}$" });
const count = t.Integer({ minimum: 0 });
const FORMAT_SHAPE = t.Object({ format: t.Integer() });
const HEAD_SHAPE = t.Object({
  snug: t.String({ pattern: String.raw`^[\w.+-]{1,40}$` }),
  created_at: t.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` }),
  migrations: t.Array(t.Object({ hash: sha, created_at: t.Number() })),
  tables: t.Array(t.Object({ name, columns: t.Array(name) })),
  uploads: t.Union([t.Literal("inside"), t.Literal("beside")]),
  secret_keys: t.Union([t.Null(), t.Array(t.String())]),
});
const TAIL_SHAPE = t.Object({
  rows: t.Record(name, count, { additionalProperties: false }),
  sequences: t.Array(
    t.Object({ name, last_value: t.Union([t.Null(), t.String({ pattern: "^[0-9]{1,19}$" })]) }),
  ),
  sums: t.Record(t.String(), sha),
  uploads: t.Object({ count, bytes: count }),
  missing: t.Array(sha),
});

/** @throws BackupError */
export function parseHead(bytes: Buffer): Head {
  const { format } = parsePart<Pick<Head, "format">>(FORMAT_SHAPE, HEAD, bytes);
  if (format !== FORMAT) {
    throw new BackupError("The backup is from a newer version of Snug: use that version.");
  }
  return parsePart<Head>(HEAD_SHAPE, HEAD, bytes);
}

/** @throws BackupError */
export function parseTail(bytes: Buffer): Tail {
  return parsePart<Tail>(TAIL_SHAPE, TAIL, bytes);
}

/** Parses a list of uploads; sizes are in bytes. @throws BackupError */
export function* parseList(bytes: Buffer): Generator<{ key: string; size: number }> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n", at);
    const line = end === -1 ? "" : bytes.toString("latin1", at, Math.min(end, at + 100));
    const [, key, size] = /^([0-9a-f]{64}) (\d{1,15})$/.exec(line) ?? [];
    if (key === undefined) throw createDamagedError("a list of uploads names something else");
    yield { key, size: Number(size) };
    at = end + 1;
  }
}

function parsePart<T>(shape: TSchema, part: string, bytes: Buffer): T {
  const text = bytes.toString();
  let containers = 0;
  for (const _ of text.matchAll(/[[{]/g)) {
    containers += 1;
    if (containers > MAX_CONTAINERS) break;
  }
  const value = containers > MAX_CONTAINERS ? undefined : parseJson(text);
  if (!Value.Check(shape, value)) throw createDamagedError(`${part} is not what it should be`);
  return value as T;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
