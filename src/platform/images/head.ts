import type { Metadata } from "sharp";
import { MAX_DECODE_BYTES } from "./decode-budget.ts";
import { Refusal } from "../refusal.ts";

/** Maximum number of pixels of one frame, checked before decoding. Photos from phones have fewer. */
export const MAX_PIXELS = 64_000_000;
const MAX_FRAMES = 1_000;
/** Maximum number of pixels of all frames together. */
export const MAX_MOVING_PIXELS = 400_000_000;
/** Bytes of memory per pixel when encoding an animated WebP: the encoder holds all frames until the end. */
const MOVING_WEBP_BYTES = 4.5;
const AVIF_ENCODER_BYTES = 32;

export const MIMES = {
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  gif: "image/gif",
} as const;
type Format = keyof typeof MIMES;

/** A file path or bytes. The format is detected from the content, never from a name or a header. */
export type Source = string | Uint8Array;
export type Head = { format: Format; isMoving: boolean; width: number; height: number };

/**
 * Checks whether an image may be decoded, based on its header.
 * @param side length of the longer side of an animated image's output, in pixels; 0 if only the first
 * frame is decoded
 * @returns the header, with the bytes of memory that decoding takes
 * @throws Refusal `not_an_image`, `image_too_big`
 */
export function checkHead(head: Metadata, side: number): Head & { bytes: number } {
  const { compression, width, height, pages = 1 } = head;
  const format = nameOf(head.format, compression);
  const isMoving = pages > 1 && (format === "gif" || format === "webp");
  if (width * height > MAX_PIXELS) throw makeTooManyPixelsRefusal(MAX_PIXELS);
  if (isMoving) checkFrames(pages, width, height);
  const still = width * height * bytesPerPixel(format, head);
  const scale = Math.min(1, side / Math.max(width, height));
  const outputPixels = format === "gif" ? 0 : width * height * scale ** 2;
  if (isMoving) {
    const bytes = still + pages * outputPixels * MOVING_WEBP_BYTES;
    if (bytes > MAX_DECODE_BYTES) throw makeTooLongRefusal();
    return { format, isMoving, width, height, bytes };
  }
  const bytes = still + (format === "avif" ? outputPixels * AVIF_ENCODER_BYTES : 0);
  if (bytes > MAX_DECODE_BYTES) {
    throw makeTooManyPixelsRefusal((MAX_DECODE_BYTES / bytes) * width * height);
  }
  return { format, isMoving, width, height, bytes };
}

/** @throws Refusal `image_too_big` for an animation that is too long */
export function checkFrames(frames: number, width: number, height: number): void {
  if (frames > MAX_FRAMES || frames * width * height > MAX_MOVING_PIXELS)
    throw makeTooLongRefusal();
}

/**
 * Bytes per pixel during decoding, measured with libvips 8.18 and rounded up. A small file can have
 * many pixels, and an AVIF decoder holds several frames in memory.
 */
function bytesPerPixel(format: Format, head: Metadata): number {
  const { isProgressive = false, channels, depth } = head;
  const sample = depth === "uchar" ? 1 : 2;
  if (format === "avif") return sample === 1 ? 19 : 38;
  // Non-progressive JPEGs are decoded line by line.
  if (format === "jpeg") return isProgressive ? channels * 2.3 : channels;
  if (format === "png") return channels * sample * (isProgressive ? 1.4 : 0.7);
  return 6;
}

function makeTooManyPixelsRefusal(max: number): Refusal {
  const megapixels = `${Math.floor(max / 1e6)} megapixels`;
  const detail = `The image has more than ${megapixels}, the limit for its format. Make it smaller.`;
  return new Refusal("image_too_big", detail);
}

function makeTooLongRefusal(): Refusal {
  return new Refusal("image_too_big", "The animation is too long. Make it shorter or smaller.");
}

function nameOf(format: string, compression: string | undefined): Format {
  if (format === "heif" && compression === "av1") return "avif";
  const knownFormat = (Object.keys(MIMES) as Format[]).find((name) => name === format);
  if (!knownFormat) throw makeNotAnImageRefusal();
  return knownFormat;
}

export function makeNotAnImageRefusal(): Refusal {
  const detail = "This is not a readable image. Use a complete JPEG, PNG, WebP, AVIF or GIF.";
  return new Refusal("not_an_image", detail);
}
