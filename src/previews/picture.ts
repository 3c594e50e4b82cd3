import sharp from "sharp";

const MAX_SIDE = 640;
/** 40 megapixels: what a picture unpacks to, whatever its bytes. */
const MAX_PIXELS = 40_000_000;
const FORMATS = new Set(["jpeg", "png", "webp", "gif", "heif"]);

/**
 * A small copy of a page's picture: WebP, at most 640 pixels wide and high, upright, without
 * metadata, the first frame of what moves.
 * @returns null if the bytes are no picture of an allowed kind, whatever they were called
 */
export async function shrinkPicture(bytes: Uint8Array): Promise<Buffer | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" });
    const { format, compression } = await picture.metadata();
    // HEIF is the box that AVIF comes in.
    if (!FORMATS.has(format) || (format === "heif" && compression !== "av1")) return null;
    return await picture
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
  } catch {
    return null;
  }
}
