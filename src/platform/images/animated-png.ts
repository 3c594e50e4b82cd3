import { bytesOf } from "./avif.ts";
import type { Source } from "./head.ts";

const SIGNATURE_LENGTH = 8;
/** Bytes of a chunk's length, type and checksum. */
const CHUNK_OVERHEAD = 12;
/** An animation is declared within these bytes, so few files are read further. */
const MAX_START = 256 * 1024;
/** Chunks that affect how a picture looks. The others contain text, EXIF and times. */
const SHOWN_CHUNKS = new Set([
  ...["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD", "pHYs"],
  ...["acTL", "fcTL", "fdAT", "IDAT", "IEND"],
]);

/**
 * Reads an animated PNG (PNG, third edition, 11.3.6), of which the decoder would read only the first
 * frame.
 * @returns the number of frames, and the file without its metadata; null for a still picture
 */
export async function readAnimatedPng(
  source: Source,
): Promise<{ frames: number; bytes: Uint8Array } | null> {
  const start = await bytesOf(source, MAX_START);
  if (!Buffer.from(start.buffer, start.byteOffset, start.length).includes("acTL")) return null;
  const bytes = Buffer.from(await bytesOf(source));
  const chunks = [bytes.subarray(0, SIGNATURE_LENGTH)];
  let frames = 0;
  for (let at = SIGNATURE_LENGTH; at + CHUNK_OVERHEAD <= bytes.length;) {
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "acTL" && end - at >= CHUNK_OVERHEAD + 8) frames = bytes.readUInt32BE(at + 8);
    // An animation must be declared before the image data.
    if (type === "IDAT" && frames < 2) return null;
    if (end > bytes.length) break;
    if (SHOWN_CHUNKS.has(type)) chunks.push(bytes.subarray(at, end));
    if (type === "IEND") break;
    at = end;
  }
  return frames < 2 ? null : { frames, bytes: Buffer.concat(chunks) };
}
