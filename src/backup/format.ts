import { type TSchema, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/**
 * A backup is a tar archive, encrypted with age or not, whose entries come in this order:
 *
 * - `snug.json`, the `Head`;
 * - `database/<table>/<number>.copy.zst`: what COPY writes as text, cut anywhere into pieces, each of
 *   them compressed by itself, so that its size is known before it is written;
 * - `uploads/<sha256>`, the bytes of an upload as they are, or `uploads/list/<number>.txt` with the
 *   keys and sizes of those that are in a folder beside the archive;
 * - `end.json`, the `Tail`, without which the archive is not whole.
 *
 * Any tar, zstd, age and psql can read it without Snug.
 */
export const HEAD = "snug.json";
export const TAIL = "end.json";
export const FORMAT = 1;
/** Before compression. */
export const PIECE_BYTES = 4 * 1_024 ** 2;

/** The most that the beginning, the end and a list of uploads may have, in bytes. */
export const MAX_BYTES = { head: 1_024 ** 2, tail: 24 * 1_024 ** 2, list: 8 * 1_024 ** 2 };
/** How many uploads a list names. */
export const LIST_LENGTH = 50_000;
/** The most entries but uploads, and the most uploads that the storage may lack: `end.json` names each of them. */
export const MAX_PARTS = 100_000;
export const MAX_MISSING = 100_000;

export type AppliedMigration = { hash: string; created_at: number };

export type Table = { name: string; columns: string[] };

export type Head = {
  format: number;
  /** The version of Snug that wrote it. */
  snug: string;
  created_at: string;
  migrations: AppliedMigration[];
  tables: Table[];
  /** Whether uploads are in the archive, or in a folder beside it. */
  uploads: "inside" | "beside";
  /** The keys that the database's secrets are sealed with, in base64; null where SECRET_KEY has them. */
  secret_keys: string[] | null;
};

export type Tail = {
  rows: Record<string, number>;
  sequences: { name: string; last_value: string | null }[];
  /** SHA-256 in hex of each entry but the uploads, whose name is their hash. */
  sums: Record<string, string>;
  uploads: { count: number; bytes: number };
  /** Uploads that the storage did not have, or not as they were stored. */
  missing: string[];
};

/** A backup cannot be written, read or restored. The message is one sentence for an operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** The error of a file that is no whole backup. `what` may quote it: a terminal would obey its control characters. */
export function damaged(what: string): BackupError {
  const shown = what.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return new BackupError(`This is not a whole backup: ${shown}.`);
}

/** The path of a numbered part of a backup: `uploads/list/000001.txt`, for example. */
export const pieceName = (folder: string, number: number, suffix: string) =>
  `${folder}/${String(number).padStart(6, "0")}${suffix}`;

/** The SHA-256 of bytes, in hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** The most objects and lists that a part has: more of them would need much memory. */
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
    throw new BackupError("The backup is of a newer version of Snug: use that version.");
  }
  return parsePart<Head>(HEAD_SHAPE, HEAD, bytes);
}

/** @throws BackupError */
export function parseTail(bytes: Buffer): Tail {
  return parsePart<Tail>(TAIL_SHAPE, TAIL, bytes);
}

/** The uploads that a list names, with their sizes in bytes. @throws BackupError */
export function* parseList(bytes: Buffer): Generator<{ key: string; size: number }> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n", at);
    const line = end === -1 ? "" : bytes.toString("latin1", at, Math.min(end, at + 100));
    const [, key, size] = /^([0-9a-f]{64}) (\d{1,15})$/.exec(line) ?? [];
    if (key === undefined) throw damaged("a list of uploads names something else");
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
  if (!Value.Check(shape, value)) throw damaged(`${part} is not what it should be`);
  return value as T;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
