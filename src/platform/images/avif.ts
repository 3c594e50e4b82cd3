import type { Source } from "./head.ts";

/** The boxes of an AVIF (ISO/IEC 14496-12), as far as the decoder does not read them itself. */

/** The box `ftyp`, with its brands. */
const MAX_START = 4 * 1024;
const BOX_HEAD = 8;
/** Boxes that contain boxes, with the number of bytes before the first of them. */
const CONTAINERS = new Map([
  ...["moov", "trak", "mdia", "minf", "stbl"].map((type) => [type, 0] as const),
  ["meta", 4],
  ["iinf", 6],
]);
const MAX_DEPTH = 8;

/** An AVIF that the decoder does not take for one. */
export type Avif = {
  /** With the brand of a still picture: the decoder reads its first one. */
  bytes: Uint8Array;
  /** Null for a still picture. */
  sequence: Sequence | null;
};

type Sequence = {
  frames: number;
  width: number;
  height: number;
  /** Whether it contains EXIF, XMP, or data of users and programs. */
  hasMetadata: boolean;
};

/**
 * Reads an AVIF whose major brand is not that of a still picture: a sequence of pictures (`avis`; AVIF
 * 1.1, 6.3), or one that names AVIF among its other brands. Null for every other file.
 */
export async function readOddAvif(source: Source): Promise<Avif | null> {
  const [major, ...others] = listBrands(Buffer.from(await bytesOf(source, MAX_START)));
  if (major === undefined || major === "avif") return null;
  if (![major, ...others].some((brand) => brand === "avif" || brand === "avis")) return null;
  const bytes = Buffer.from(await bytesOf(source));
  const sequence = major === "avis" ? readSequence(bytes) : null;
  bytes.write("avif", BOX_HEAD, "latin1");
  return { bytes, sequence };
}

function listBrands(start: Buffer): string[] {
  if (start.length < 16 || start.toString("latin1", 4, 8) !== "ftyp") return [];
  const end = Math.min(start.readUInt32BE(0), start.length);
  const brands = [start.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(start.toString("latin1", at, at + 4));
  return brands;
}

function readSequence(bytes: Buffer): Sequence {
  const head = { frames: 0, width: 0, height: 0, hasMetadata: false };
  visitBoxes(bytes, 0, bytes.length, 0, (type, body, end) => {
    if (type === "stsz") head.frames = Math.max(head.frames, bytes.readUInt32BE(body + 8));
    if (type === "tkhd") {
      // Numbers of 16.16 bits.
      head.width = Math.max(head.width, bytes.readUInt32BE(end - 8) / 65_536);
      head.height = Math.max(head.height, bytes.readUInt32BE(end - 4) / 65_536);
    }
    head.hasMetadata ||= isMetadata(bytes, type, body);
  });
  return head;
}

function isMetadata(bytes: Buffer, type: string, body: number): boolean {
  if (type === "udta" || type === "uuid") return true;
  if (type !== "infe") return false;
  // Entries of version 3 and later have a longer id.
  const at = body + (bytes.readUInt8(body) < 3 ? 8 : 10);
  return ["Exif", "mime", "uri "].includes(bytes.toString("latin1", at, at + 4));
}

/** Calls with each box: its type, where its content begins, and where it ends. */
function visitBoxes(
  bytes: Buffer,
  start: number,
  end: number,
  depth: number,
  visit: (type: string, body: number, end: number) => void,
): void {
  for (let at = start; at + BOX_HEAD <= end;) {
    const length = bytes.readUInt32BE(at);
    // 0 means: up to the end.
    const next = length === 0 ? end : at + length;
    // Lengths of 64 bits are for files that are larger than an upload may be.
    if (next < at + BOX_HEAD || next > end) throw new Error(`A box of ${length} bytes at ${at}`);
    const type = bytes.toString("latin1", at + 4, at + BOX_HEAD);
    const body = at + BOX_HEAD;
    visit(type, body, next);
    const skipped = CONTAINERS.get(type);
    if (skipped !== undefined && depth < MAX_DEPTH) {
      visitBoxes(bytes, body + skipped, next, depth + 1, visit);
    }
    at = next;
  }
}

/** The first bytes of a file, or all. */
export function bytesOf(source: Source, max?: number): Promise<Uint8Array> | Uint8Array {
  if (typeof source !== "string") return source.subarray(0, max);
  return Bun.file(source).slice(0, max).bytes();
}
