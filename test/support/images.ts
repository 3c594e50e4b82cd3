import sharp from "sharp";

type Format = "jpeg" | "png" | "webp" | "avif" | "gif";

/** The smallest that there is: one pixel. */
export const PNG = new Uint8Array(
  await sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } })
    .png()
    .toBuffer(),
);

/**
 * A picture whose four quarters differ, so that it is seen when it is turned: red and green above,
 * blue and white below.
 */
export function quarters(width: number, height: number) {
  const [w, h] = [width / 2, height / 2];
  const part = (background: string, left: number, top: number) => ({
    input: { create: { width: w, height: h, channels: 3 as const, background } },
    left,
    top,
  });
  return sharp({ create: { width, height, channels: 3, background: "#fff" } }).composite([
    part("#f00", 0, 0),
    part("#0f0", w, 0),
    part("#00f", 0, h),
  ]);
}

export async function picture(format: Format, width = 40, height = 20): Promise<Uint8Array> {
  return quarters(width, height).toFormat(format).toBuffer();
}

/** A GIF or a WebP that moves. */
export async function moving(format: "gif" | "webp", frames: number, width = 40, height = 20) {
  const shades = Array.from({ length: frames }, (_, i) => {
    const background = { r: (i * 37) % 256, g: 99, b: 200 };
    return sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  });
  const all = await Promise.all(shades);
  return sharp(all, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** The name of the colour in a quarter of an image: of its first frame. */
export async function colourAt(bytes: Uint8Array, x: "left" | "right", y: "top" | "bottom") {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const column = Math.floor(info.width * (x === "left" ? 0.25 : 0.75));
  const row = Math.floor(info.height * (y === "top" ? 0.25 : 0.75));
  const at = (row * info.width + column) * info.channels;
  const bright = [...data.subarray(at, at + 3)].map((value) => value > 128);
  const names = ["black", "blue", "green", "cyan", "red", "purple", "yellow", "white"];
  return names[bright.reduce((sum, one) => sum * 2 + Number(one), 0)];
}
