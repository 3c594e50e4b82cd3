import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "blurhash";
import sharp from "sharp";
import {
  blurhashOf,
  normalizeImage,
  createThumbnail,
  cropToSquares,
} from "../../src/platform/images/images.ts";
import { colourAt, moving, movingPng, PICTURES, picture, quarters } from "../support/images.ts";

/** As a camera that is held on its side writes it: 60 by 90 once it is upright. */
const sideways = () => quarters(90, 60).withMetadata({ orientation: 6 }).jpeg().toBuffer();

describe("squares", () => {
  test("are cut from the middle, in each size", async () => {
    const pictures = await cropToSquares(await picture("jpeg", 900, 600), [512, 128, 64]);
    const heads = await Promise.all(pictures.map((bytes) => sharp(bytes).metadata()));
    expect(heads.map(({ format, width, height }) => [format, width, height])).toEqual([
      ["webp", 512, 512],
      ["webp", 128, 128],
      ["webp", 64, 64],
    ]);
    const [large = new Uint8Array()] = pictures;
    expect(await colourAt(large, "left", "top")).toBe("red");
    expect(await colourAt(large, "right", "bottom")).toBe("white");
  });

  test("are no larger than the image", async () => {
    const pictures = await cropToSquares(await picture("png", 100, 80), [512, 64]);
    const heads = await Promise.all(pictures.map((bytes) => sharp(bytes).metadata()));
    expect(heads.map(({ width, height }) => [width, height])).toEqual([
      [80, 80],
      [64, 64],
    ]);
  });

  test("are upright, still and without metadata", async () => {
    const [turned = new Uint8Array()] = await cropToSquares(await sideways(), [64]);
    expect(await colourAt(turned, "right", "top")).toBe("red");
    expect((await sharp(turned).metadata()).exif).toBeUndefined();
    const [still = new Uint8Array()] = await cropToSquares(await moving("gif", 3), [64]);
    expect((await sharp(still).metadata()).pages).toBeUndefined();
  });

  test("are not cut from a file that is not an image", async () => {
    const nonsense = new TextEncoder().encode("nonsense");
    await expect(cropToSquares(nonsense, [64])).rejects.toThrow("not_an_image");
  });
});

describe("a small picture", () => {
  test("has a limited longer side, and says its size and type", async () => {
    const { bytes, mime, width, height } = await createThumbnail(await sideways(), 30);
    const head = await sharp(bytes).metadata();
    expect([mime, width, height]).toEqual(["image/webp", 20, 30]);
    expect([head.format, head.width, head.height, head.exif]).toEqual(["webp", 20, 30, undefined]);
  });

  test("is not enlarged", async () => {
    const { width, height } = await createThumbnail(await picture("avif", 40, 20), 400);
    expect([width, height]).toEqual([40, 20]);
  });

  test("is not made from a file that is not an image", async () => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await expect(createThumbnail(svg, 30)).rejects.toThrow("not_an_image");
  });
});

test("a blurhash is drawn as a blur of the image", async () => {
  const pixels = decode(await blurhashOf(await picture("png", 80, 60)), 8, 6);
  const at = (x: number, y: number) => [...pixels.slice((y * 8 + x) * 4, (y * 8 + x) * 4 + 3)];
  const [r = 0, g = 0, b = 0] = at(0, 0);
  expect(r).toBeGreaterThan(Math.max(g, b));
  expect(Math.min(...at(7, 5))).toBeGreaterThan(150);
});

describe("an image as it is shown", () => {
  async function fit(source: Uint8Array) {
    const folder = await mkdtemp(join(tmpdir(), "snug-images-"));
    try {
      const path = join(folder, "shown");
      return { ...(await normalizeImage(source, 100, path)), bytes: await Bun.file(path).bytes() };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test("stays moving as a PNG, without what it says besides", async () => {
    const source = await movingPng(3);
    const { bytes, mime, width, height } = await fit(source);
    expect([mime, width, height]).toEqual(["image/png", 40, 20]);
    const text = Buffer.from(bytes).toString("latin1");
    expect(text.match(/fcTL/g)).toHaveLength(3);
    expect(text).toContain("acTL");
    expect(Buffer.from(source).toString("latin1")).toContain("Secretcam");
    expect(text).not.toContain("Secretcam");
    expect((await sharp(bytes).metadata()).width).toBe(40);
    await expect(fit((await movingPng(3)).subarray(0, 130))).rejects.toThrow("not_an_image");
  });

  test("is a still PNG where it has one frame", async () => {
    const { bytes } = await fit(await movingPng(1));
    expect(Buffer.from(bytes).toString("latin1")).not.toContain("acTL");
  });

  const sequence = async (name: string) =>
    Buffer.from(await Bun.file(join(PICTURES, `${name}.avif`)).bytes());

  // The first is made by FFmpeg, the second one by libavif.
  test.each(["moving", "moving-alpha"])("stays moving as an AVIF: %s", async (name) => {
    const source = await sequence(name);
    const { bytes, mime, width, height } = await fit(source);
    expect([mime, width, height]).toEqual(["image/avif", 40, 20]);
    expect(Buffer.from(bytes).equals(source)).toBe(true);
    // What is small is its first frame.
    const small = await createThumbnail(bytes, 30);
    expect([small.width, await colourAt(small.bytes, "left", "top")]).toEqual([30, "red"]);
    expect(await blurhashOf(bytes)).toHaveLength(28);
    expect(await cropToSquares(bytes, [16])).toHaveLength(1);
  });

  test("is no AVIF of several pictures that says more than it shows, or cannot be read", async () => {
    await expect(fit(await sequence("moving-exif"))).rejects.toThrow("not_an_image");
    const whole = await sequence("moving");
    for (const end of [16, 44, 60, 300, 600, 900]) {
      await expect(fit(whole.subarray(0, end))).rejects.toThrow("not_an_image");
    }
    const named = Buffer.from(await picture("avif"));
    named.write("avis", 8, "latin1");
    await expect(fit(named)).rejects.toThrow("not_an_image");
    const vendor = Buffer.from(whole);
    vendor.write("udta", vendor.indexOf("vmhd"), "latin1");
    await expect(fit(vendor)).rejects.toThrow("not_an_image");
  });

  test("is no AVIF with frames that are too large together", async () => {
    const source = await sequence("moving");
    const at = source.indexOf("tkhd") + 80;
    for (const side of [at, at + 4]) source.writeUInt32BE(16_000 * 65_536, side);
    await expect(fit(source)).rejects.toThrow("image_too_big");
  });

  test.each(["mif1", "miaf", "MA1B"])("may be an AVIF whose first brand is %s", async (brand) => {
    const still = Buffer.from(await picture("avif"));
    still.write(brand, 8, "latin1");
    const { mime, bytes } = await fit(still);
    expect([mime, await colourAt(bytes, "left", "top")]).toEqual(["image/avif", "red"]);
  });

  test("stays moving as a PNG that FFmpeg made", async () => {
    const source = await Bun.file(join(PICTURES, "moving.png")).bytes();
    const { mime, bytes } = await fit(source);
    expect(mime).toBe("image/png");
    expect(Buffer.from(bytes).toString("latin1").match(/fcTL/g)).toHaveLength(3);
  });

  test.each([false, true])(
    "may lack the end marker of a JPEG, but none of its lines (progressive: %p)",
    async (progressive) => {
      const whole = await quarters(64, 48).jpeg({ progressive }).toBuffer();
      const { width, height, bytes } = await fit(whole.subarray(0, -2));
      expect([width, height]).toEqual([64, 48]);
      expect(await colourAt(bytes, "right", "bottom")).toBe("white");
      expect(await cropToSquares(whole.subarray(0, -2), [20])).toHaveLength(1);
      for (const missing of [3, 4, 10, 100]) {
        await expect(fit(whole.subarray(0, -missing))).rejects.toThrow("not_an_image");
      }
    },
  );
});
