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

/** The path of a numbered part of a backup: `uploads/list/000001.txt`, for example. */
export const pieceName = (folder: string, number: number, suffix: string) =>
  `${folder}/${String(number).padStart(6, "0")}${suffix}`;

/** The SHA-256 of bytes, in hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
