import { encode } from "blurhash";
import type { Sharp } from "sharp";
import { reserveDecodeBytes } from "./decode-budget.ts";
import { isDiskFull } from "../storage/storage.ts";
import { readAnimatedPng } from "./animated-png.ts";
import { type Avif, bytesOf, readOddAvif } from "./avif.ts";
import {
  checkFrames,
  checkHead,
  type Head,
  MAX_MOVING_PIXELS,
  MAX_PIXELS,
  MIMES,
  makeNotAnImageRefusal,
  type Source,
} from "./head.ts";
import { getLogger } from "../log.ts";
import { Refusal } from "../refusal.ts";

const log = getLogger("images");

const DECODE_SECONDS = 30;
const HASHED_SIDE = 32;

/** Higher effort levels would take seconds. */
const OPTIONS = {
  jpeg: { quality: 85 },
  png: {},
  webp: { quality: 84, effort: 3 },
  avif: { quality: 60, effort: 2 },
};

type SharpLibrary = (typeof import("sharp"))["default"];

let sharp: SharpLibrary;
let sharpLoad: Promise<void> | null = null;

/** Loads sharp on first use, since it takes 30 MB. */
function loadSharp(): Promise<void> {
  sharpLoad ??= import("sharp").then((library) => {
    sharp = library.default;
    // Allows only these loaders regardless of the content: no SVG, PDF or TIFF.
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({
      operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].flatMap((loader) => [
        `VipsForeignLoad${loader}File`,
        `VipsForeignLoad${loader}Buffer`,
      ]),
    });
    // Every file is read only once, so caching it is useless.
    sharp.cache(false);
  });
  return sharpLoad;
}

/** An image to decode, and the lowest severity of decoder messages that rejects it. */
type Input = {
  source: Source;
  failOn: "error" | "warning";
  /** Set for an AVIF with several pictures, of which the decoder reads only the first. */
  sequence: Avif["sequence"];
};

type Picture = { mime: string; width: number; height: number };
type NormalizedImage = Picture & { isMoving: boolean };

/**
 * Normalizes an image: upright, in sRGB, without metadata, in its original format, and not enlarged.
 * Animated WebP, PNG and AVIF files stay animated.
 * @param side maximum length of the longer side, in pixels
 * @param path the output file. A GIF is decoded only to check it and stored unchanged, and so is an
 * AVIF with several pictures; an animated PNG is stored without its metadata.
 * @returns the size of the upright image, of one frame
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function normalizeImage(
  source: Source,
  side: number,
  path: string,
): Promise<NormalizedImage> {
  return decode(source, side, async ({ format, isMoving, width, height }, input) => {
    const mime = MIMES[format];
    if (input.sequence) {
      checkSequence(input.sequence, width, height);
      await open(input).resize(1, 1, { fit: "fill" }).raw().toBuffer();
      await Bun.write(path, await bytesOf(source));
      return { mime, width, height, isMoving: true };
    }
    const animation = format === "png" ? await readAnimatedPng(source) : null;
    if (animation) {
      checkFrames(animation.frames, width, height);
      await open(input).resize(1, 1, { fit: "fill" }).raw().toBuffer();
      await Bun.write(path, animation.bytes);
      return { mime, width, height, isMoving: true };
    }
    if (format === "gif") {
      await open(input, isMoving).resize(1, 1, { fit: "fill" }).raw().toBuffer();
      return { mime, width, height, isMoving };
    }
    // Frames cannot be rotated separately, since they are decoded as one tall picture.
    const upright = isMoving ? open(input, true) : open(input).autoOrient();
    const info = await inside(upright, side).toFormat(format, OPTIONS[format]).toFile(path);
    return { mime, width: info.width, height: info.pageHeight ?? info.height, isMoving };
  });
}

/**
 * Creates a still WebP thumbnail, upright and without metadata.
 * @param side maximum length of the longer side, in pixels; smaller images are not enlarged
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function createThumbnail(
  source: Source,
  side: number,
): Promise<Picture & { bytes: Uint8Array }> {
  return decode(source, 0, async (_, input) => {
    const { data, info } = await inside(open(input).autoOrient(), side)
      .webp(OPTIONS.webp)
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, mime: MIMES.webp, width: info.width, height: info.height };
  });
}

/**
 * Crops the center of an image to still, upright WebP squares without metadata.
 * @param sides the side lengths in pixels, largest first; smaller images are not enlarged
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function cropToSquares(source: Source, sides: number[]): Promise<Uint8Array[]> {
  return decode(source, 0, async ({ width, height }, input) => {
    const largest = Math.min(sides[0] ?? 0, width, height);
    // Decoded once; smaller squares are created from this one.
    const { data, info } = await open(input)
      .autoOrient()
      .resize(largest, largest, { fit: "cover" })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const square = { width: info.width, height: info.height, channels: info.channels };
    return Promise.all(
      sides.map((side) =>
        inside(sharp(data, { raw: square }), side)
          .webp(OPTIONS.webp)
          .toBuffer(),
      ),
    );
  });
}

/**
 * Computes a BlurHash, from which clients draw a blurred placeholder.
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function blurhashOf(source: Source): Promise<string> {
  return decode(source, 0, async (_, input) => {
    const { data, info } = await inside(open(input), HASHED_SIDE)
      // Transparent pixels have a hidden colour that must not affect the result.
      .flatten({ background: "#808080" })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [x, y] = info.width >= info.height ? [4, 3] : [3, 4];
    return encode(new Uint8ClampedArray(data), info.width, info.height, x, y);
  });
}

/** Rejects a sequence with metadata, such as a location, because sequences are stored unchanged. */
function checkSequence(sequence: NonNullable<Avif["sequence"]>, width: number, height: number) {
  const { frames, hasMetadata } = sequence;
  if (frames < 2 || hasMetadata) throw makeNotAnImageRefusal();
  checkFrames(frames, Math.max(width, sequence.width), Math.max(height, sequence.height));
}

function open({ source, failOn }: Input, isMoving = false): Sharp {
  const limitInputPixels = isMoving ? MAX_MOVING_PIXELS : MAX_PIXELS;
  const image = sharp(source, { animated: isMoving, limitInputPixels, failOn });
  return image.timeout({ seconds: DECODE_SECONDS });
}

function inside(image: Sharp, side: number): Sharp {
  return image.resize(side, side, { fit: "inside", withoutEnlargement: true });
}

/**
 * Decodes an image once enough memory is available. The decoder's error is only logged, since it
 * contains paths.
 */
async function decode<T>(
  source: Source,
  side: number,
  work: (head: Head, input: Input) => Promise<T>,
): Promise<T> {
  await loadSharp();
  const attempt = async (input: Input) => {
    const metadata = await sharp(input.source, { limitInputPixels: false }).metadata();
    const head = checkHead(metadata, side);
    return reserveDecodeBytes(head.bytes, () => work(head, input));
  };
  try {
    const avif = await readOddAvif(source);
    const { sequence } = avif ?? { sequence: null };
    const input = { source: avif?.bytes ?? source, failOn: "error", sequence } as const;
    return await attempt(input).catch(async (error) => {
      if (!String(error).includes("premature end of JPEG image")) throw error;
      return attempt(await endJpeg(source));
    });
  } catch (error) {
    if (error instanceof Refusal || isDiskFull(error)) throw error;
    log.info("An image could not be decoded.", { error: String(error) });
    throw makeNotAnImageRefusal();
  }
}

/**
 * Appends the end marker that a truncated JPEG lacks. The decoder then only warns about missing lines,
 * and `failOn` turns the warnings into errors.
 */
async function endJpeg(source: Source): Promise<Input> {
  const bytes = await bytesOf(source);
  return {
    source: Buffer.concat([bytes, Buffer.from([0xff, 0xd9])]),
    failOn: "warning",
    sequence: null,
  };
}
