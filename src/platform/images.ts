import { encode } from "blurhash";
import type { Sharp } from "sharp";
import { reserveDecodeBytes } from "./decode-budget.ts";
import { isDiskFull } from "./disk.ts";
import {
  checkHead,
  type Head,
  MAX_MOVING_PIXELS,
  MAX_PIXELS,
  MIMES,
  makeNotAnImage,
} from "./image-head.ts";
import { getLogger } from "./log.ts";
import { Refusal } from "./refusal.ts";

const log = getLogger("images");

const DECODE_SECONDS = 30;
const HASHED_SIDE = 32;

/** Effort is low where it costs seconds. */
const OPTIONS = {
  jpeg: { quality: 85 },
  png: {},
  webp: { quality: 84, effort: 3 },
  avif: { quality: 60, effort: 2 },
};

type SharpLibrary = (typeof import("sharp"))["default"];

let sharp: SharpLibrary;
let loading: Promise<void> | null = null;

/** Loads the library with the first image: a service that shows none starts without its 30 MB. */
function loadSharp(): Promise<void> {
  loading ??= import("sharp").then((library) => {
    sharp = library.default;
    // Only these loaders are enabled, whatever the bytes look like: no SVG, no PDF, no TIFF.
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({
      operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].flatMap((loader) => [
        `VipsForeignLoad${loader}File`,
        `VipsForeignLoad${loader}Buffer`,
      ]),
    });
    // Each file has a unique name and is read once.
    sharp.cache(false);
  });
  return loading;
}

/** The path of a file, or bytes. The format is detected from the bytes, never from a name or a header. */
export type Source = string | Uint8Array;
export type Picture = { mime: string; width: number; height: number };

/**
 * Writes an image as it is shown: upright, in sRGB, without metadata, in its own format, and not
 * enlarged. An animated WebP stays animated.
 * @param side of the longer side, in pixels
 * @param path where it is written; a GIF is only checked by decoding it, and is stored as it is
 * @returns the size of the upright image, of one frame
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function fitImage(source: Source, side: number, path: string): Promise<Picture> {
  return decode(source, side, async ({ format, isMoving, width, height }) => {
    const mime = MIMES[format];
    if (format === "gif") {
      await open(source, isMoving).resize(1, 1, { fit: "fill" }).raw().toBuffer();
      return { mime, width, height };
    }
    // Frames cannot be rotated: they are decoded as one tall picture.
    const upright = isMoving ? open(source, true) : open(source).autoOrient();
    const info = await inside(upright, side).toFormat(format, OPTIONS[format]).toFile(path);
    return { mime, width: info.width, height: info.pageHeight ?? info.height };
  });
}

/**
 * Makes a small still picture in WebP, upright and without metadata.
 * @param side of the longer side, in pixels; a smaller image is not enlarged
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function makeSmallPicture(
  source: Source,
  side: number,
): Promise<Picture & { bytes: Uint8Array }> {
  return decode(source, 0, async () => {
    const { data, info } = await inside(open(source).autoOrient(), side)
      .webp(OPTIONS.webp)
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, mime: MIMES.webp, width: info.width, height: info.height };
  });
}

/**
 * The middle of an image, square, still, upright and without metadata, in WebP.
 * @param sides one picture for each, in pixels, the largest first; a smaller image is not enlarged
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function squarePictures(source: Source, sides: number[]): Promise<Uint8Array[]> {
  return decode(source, 0, async ({ width, height }) => {
    const largest = Math.min(sides[0] ?? 0, width, height);
    // Decoded once; the others are made of this one.
    const { data, info } = await open(source)
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
 * A few letters from which a client draws a blurred impression of an image.
 * @throws Refusal `not_an_image`, `image_too_big`, `unavailable`
 */
export function blurhashOf(source: Source): Promise<string> {
  return decode(source, 0, async () => {
    const { data, info } = await inside(open(source), HASHED_SIDE)
      // What is transparent has a colour too, which nobody sees.
      .flatten({ background: "#808080" })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [x, y] = info.width >= info.height ? [4, 3] : [3, 4];
    return encode(new Uint8ClampedArray(data), info.width, info.height, x, y);
  });
}

function open(source: Source, isMoving = false): Sharp {
  const limitInputPixels = isMoving ? MAX_MOVING_PIXELS : MAX_PIXELS;
  const image = sharp(source, { animated: isMoving, limitInputPixels, failOn: "error" });
  return image.timeout({ seconds: DECODE_SECONDS });
}

function inside(image: Sharp, side: number): Sharp {
  return image.resize(side, side, { fit: "inside", withoutEnlargement: true });
}

/**
 * Decodes an image when there is memory for it. The decoder's error is only logged, since it names
 * paths.
 */
async function decode<T>(
  source: Source,
  side: number,
  work: (head: Head) => Promise<T>,
): Promise<T> {
  await loadSharp();
  try {
    const metadata = await sharp(source, { limitInputPixels: false }).metadata();
    const head = checkHead(metadata, side);
    return await reserveDecodeBytes(head.bytes, () => work(head));
  } catch (error) {
    if (error instanceof Refusal || isDiskFull(error)) throw error;
    log.info("An image could not be decoded.", { error: String(error) });
    throw makeNotAnImage();
  }
}
