import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";

/** Files that encoders made which are not installed here. */
export const PICTURES = join(import.meta.dir, "pictures");

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

/** A PNG that moves, with a text in it: its frames are parts of still ones. */
export async function movingPng(frames: number, width = 40, height = 20): Promise<Uint8Array> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
    return bytes;
  };
  let sequence = 0;
  const parts: Buffer[] = [];
  for (let i = 0; i < frames; i += 1) {
    const background = { r: (i * 90) % 256, g: 99, b: 200 };
    const still = await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
    const data = still.subarray(still.indexOf("IDAT") + 4, still.indexOf("IEND") - 8);
    if (i === 0) {
      parts.push(still.subarray(0, 33), chunk("acTL", numbers(frames, 0)));
      parts.push(chunk("tEXt", Buffer.from("Author\0Secretcam")));
    }
    const timing = Buffer.from([0, 20, 0, 100, 0, 0]);
    parts.push(chunk("fcTL", Buffer.concat([numbers(sequence++, width, height, 0, 0), timing])));
    const isFirst = i === 0;
    parts.push(
      chunk(isFirst ? "IDAT" : "fdAT", isFirst ? data : Buffer.concat([numbers(sequence++), data])),
    );
  }
  return Buffer.concat([...parts, chunk("IEND", Buffer.alloc(0))]);
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
  return names[bright.reduce((sum, item) => sum * 2 + Number(item), 0)];
}
