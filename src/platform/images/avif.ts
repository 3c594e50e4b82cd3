import type { Source } from "./head.ts";

/** Parses the boxes of an AVIF file (ISO/IEC 14496-12) that the decoder does not handle. */

/** Maximum bytes of the `ftyp` box with its brands. */
const MAX_START = 4 * 1024;
const BOX_HEAD = 8;
/** Boxes that contain other boxes, with the offset of the first one. */
const CONTAINERS = new Map([
  ...["moov", "trak", "mdia", "minf", "stbl"].map((type) => [type, 0] as const),
  ["meta", 4],
  ["iinf", 6],
]);
const MAX_DEPTH = 8;

/** An AVIF that the decoder does not recognize. */
export type Avif = {
  /** The file with the brand of a still picture, so that the decoder reads its first picture. */
  bytes: Uint8Array;
  /** Null for a still picture. */
  sequence: Sequence | null;
};

type Sequence = {
  frames: number;
  width: number;
  height: number;
  /** Whether the file contains EXIF, XMP, or user data. */
  hasMetadata: boolean;
};

/**
 * Reads an AVIF whose major brand is not that of a still picture: an image sequence (`avis`; AVIF 1.1,
 * 6.3), or a file that lists AVIF among its compatible brands. Returns null for all other files.
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
      // 16.16 fixed-point numbers.
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

/** Calls the visitor with each box's type and the start and end of its content. */
function visitBoxes(
  bytes: Buffer,
  start: number,
  end: number,
  depth: number,
  visit: (type: string, body: number, end: number) => void,
): void {
  for (let at = start; at + BOX_HEAD <= end;) {
    const length = bytes.readUInt32BE(at);
    // 0 means up to the end of the file.
    const next = length === 0 ? end : at + length;
    // 64-bit lengths occur only in files larger than the upload limit.
    if (next < at + BOX_HEAD || next > end) throw new Error(`A box of ${length} bytes at ${at}`);
    const type = bytes.toString("latin1", at + 4, at + BOX_HEAD);
    const body = at + BOX_HEAD;
    visit(type, body, next);
    const headerBytes = CONTAINERS.get(type);
    if (headerBytes !== undefined && depth < MAX_DEPTH) {
      visitBoxes(bytes, body + headerBytes, next, depth + 1, visit);
    }
    at = next;
  }
}

export function bytesOf(source: Source, max?: number): Promise<Uint8Array> | Uint8Array {
  if (typeof source !== "string") return source.subarray(0, max);
  return Bun.file(source).slice(0, max).bytes();
}
