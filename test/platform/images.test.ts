import { describe, expect, test } from "bun:test";
import { decode } from "blurhash";
import sharp from "sharp";
import { blurhashOf, makeSmallPicture, squarePictures } from "../../src/platform/images.ts";
import { colourAt, moving, picture, quarters } from "../support/images.ts";

/** As a camera that is held on its side writes it: 60 by 90 once it is upright. */
const sideways = () => quarters(90, 60).withMetadata({ orientation: 6 }).jpeg().toBuffer();

describe("squares", () => {
  test("are cut from the middle, in each size", async () => {
    const pictures = await squarePictures(await picture("jpeg", 900, 600), [512, 128, 64]);
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
    const pictures = await squarePictures(await picture("png", 100, 80), [512, 64]);
    const heads = await Promise.all(pictures.map((bytes) => sharp(bytes).metadata()));
    expect(heads.map(({ width, height }) => [width, height])).toEqual([
      [80, 80],
      [64, 64],
    ]);
  });

  test("are upright, still and without metadata", async () => {
    const [turned = new Uint8Array()] = await squarePictures(await sideways(), [64]);
    expect(await colourAt(turned, "right", "top")).toBe("red");
    expect((await sharp(turned).metadata()).exif).toBeUndefined();
    const [still = new Uint8Array()] = await squarePictures(await moving("gif", 3), [64]);
    expect((await sharp(still).metadata()).pages).toBeUndefined();
  });

  test("are not cut from a file that is not an image", async () => {
    const nonsense = new TextEncoder().encode("nonsense");
    await expect(squarePictures(nonsense, [64])).rejects.toThrow("not_an_image");
  });
});

describe("a small picture", () => {
  test("has a limited longer side, and says its size and type", async () => {
    const { bytes, mime, width, height } = await makeSmallPicture(await sideways(), 30);
    const head = await sharp(bytes).metadata();
    expect([mime, width, height]).toEqual(["image/webp", 20, 30]);
    expect([head.format, head.width, head.height, head.exif]).toEqual(["webp", 20, 30, undefined]);
  });

  test("is not enlarged", async () => {
    const { width, height } = await makeSmallPicture(await picture("avif", 40, 20), 400);
    expect([width, height]).toEqual([40, 20]);
  });

  test("is not made from a file that is not an image", async () => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await expect(makeSmallPicture(svg, 30)).rejects.toThrow("not_an_image");
  });
});

test("a blurhash is drawn as a blur of the image", async () => {
  const pixels = decode(await blurhashOf(await picture("png", 80, 60)), 8, 6);
  const at = (x: number, y: number) => [...pixels.slice((y * 8 + x) * 4, (y * 8 + x) * 4 + 3)];
  const [r = 0, g = 0, b = 0] = at(0, 0);
  expect(r).toBeGreaterThan(Math.max(g, b));
  expect(Math.min(...at(7, 5))).toBeGreaterThan(150);
});
