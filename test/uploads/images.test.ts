import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp, { type Sharp } from "sharp";
import { expectProblem } from "../support/client.ts";
import { colourAt, moving, picture, PNG, quarters } from "../support/images.ts";
import { Place } from "./support.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(() => place.close());

const send = (bytes: Uint8Array, name = "photo", type = "") =>
  place.member.upload(place.images, bytes, name, type);

/** Sends an image, expects it to be taken, and reads back what is kept of it. */
async function keep(bytes: Uint8Array, name?: string, type?: string) {
  const answer = await send(bytes, name, type);
  expect(answer).toMatchObject({ status: 201 });
  const kept = await place.read(answer.body.url);
  expect(kept.status).toBe(200);
  return { image: answer.body, ...kept, metadata: await sharp(kept.bytes).metadata() };
}

describe("an image", () => {
  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)("can be %s", async (format) => {
    const { image, bytes, headers, metadata } = await keep(await picture(format, 48, 36));
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(image).toEqual({
      id: expect.any(String),
      url: `${place.images}/${hash}`,
      width: 48,
      height: 36,
      mime: `image/${format}`,
      size_bytes: bytes.length,
      blurhash: expect.stringMatching(/^.{20,}$/),
      alt: null,
    });
    expect(headers.get("content-type")).toBe(`image/${format}`);
    expect(metadata.format).toBe(format === "avif" ? "heif" : format);
    const { sql } = place;
    const [row] = await sql`select room_id, uploader_id from message_images where id = ${image.id}`;
    expect(row).toEqual({ room_id: place.roomId, uploader_id: place.member.user.id });
  });

  test("is what its bytes are, not what it is called", async () => {
    const { image } = await keep(await picture("webp"), "cat.png", "image/png");
    expect(image.mime).toBe("image/webp");
  });

  test.each(["jpeg", "png", "webp", "avif"] as const)(
    "is made at most 2,000 pixels long: %s",
    async (format) => {
      const { image, metadata } = await keep(await picture(format, 2_400, 1_200));
      expect([image.width, image.height]).toEqual([2_000, 1_000]);
      expect([metadata.width, metadata.height]).toEqual([2_000, 1_000]);
    },
  );

  test("that is upright and tall is bounded in its height", async () => {
    const { image } = await keep(await picture("jpeg", 500, 4_000));
    expect([image.width, image.height]).toEqual([250, 2_000]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "is turned upright from EXIF orientation %d",
    async (orientation) => {
      // What a camera writes that is held so: the same scene, turned the other way. sharp flips
      // before it turns.
      const turns: Record<number, (image: Sharp) => Sharp> = {
        1: (image) => image,
        2: (image) => image.flop(),
        3: (image) => image.rotate(180),
        4: (image) => image.flip(),
        5: (image) => image.rotate(90).flip(),
        6: (image) => image.rotate(270),
        7: (image) => image.rotate(270).flip(),
        8: (image) => image.rotate(90),
      };
      const scene = sharp(await quarters(64, 48).png().toBuffer());
      const turned = (turns[orientation] as (image: Sharp) => Sharp)(scene);
      const bytes = await sharp(await turned.png().toBuffer())
        .withMetadata({ orientation })
        .jpeg()
        .toBuffer();
      const { image, bytes: kept, metadata } = await keep(bytes);
      expect([image.width, image.height]).toEqual([64, 48]);
      expect(metadata.orientation).toBeUndefined();
      expect([
        await colourAt(kept, "left", "top"),
        await colourAt(kept, "right", "top"),
        await colourAt(kept, "left", "bottom"),
        await colourAt(kept, "right", "bottom"),
      ]).toEqual(["red", "green", "blue", "white"]);
    },
  );

  test.each(["jpeg", "png", "webp", "avif"] as const)(
    "loses what it tells of place and maker: %s",
    async (format) => {
      const bytes = await quarters(40, 20)
        .withExif({ IFD0: { Make: "Secretcam" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Secretcam</x:xmpmeta>')
        .toFormat(format)
        .toBuffer();
      expect(Buffer.from(bytes).includes("Secretcam")).toBe(true);
      const { bytes: kept, metadata } = await keep(bytes);
      expect(Buffer.from(kept).includes("Secretcam")).toBe(false);
      const { exif, xmp, iptc, icc } = metadata;
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    },
  );

  test("in CMYK becomes one that every browser shows", async () => {
    const bytes = await quarters(40, 20).toColourspace("cmyk").jpeg().toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe("cmyk");
    const { bytes: kept, metadata } = await keep(bytes);
    expect([metadata.space, metadata.channels]).toEqual(["srgb", 3]);
    expect(await colourAt(kept, "left", "top")).toBe("red");
  });

  test("keeps what is transparent", async () => {
    const bytes = await sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    expect((await keep(bytes)).metadata.hasAlpha).toBe(true);
  });
});

describe("an image that moves", () => {
  test("stays byte for byte as it came if it is a GIF, however large", async () => {
    const bytes = await moving("gif", 3, 2_200, 40);
    const { image, bytes: kept } = await keep(bytes);
    expect(Buffer.from(kept).equals(Buffer.from(bytes))).toBe(true);
    expect([image.width, image.height, image.mime]).toEqual([2_200, 40, "image/gif"]);
  });

  test("moves on if it is a WebP", async () => {
    const { image, metadata } = await keep(await moving("webp", 4, 2_400, 1_200));
    expect([image.width, image.height, metadata.pages]).toEqual([2_000, 1_000, 4]);
    // Also where the room shows it.
    const { bytes } = await place.read(`${image.url}?size=thumb`);
    expect((await sharp(bytes).metadata()).pages).toBe(4);
  });
});

describe("a thumbnail", () => {
  test.each(["jpeg", "gif"] as const)("is at most 640 pixels long: %s", async (format) => {
    const { image } = await keep(await picture(format, 1_280, 320));
    const { status, headers, bytes } = await place.read(`${image.url}?size=thumb`);
    const { format: kind, width, height, pages } = await sharp(bytes).metadata();
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect([kind, width, height, pages]).toEqual(["webp", 640, 160, undefined]);
  });

  test("of a small image is the image", async () => {
    const { image, bytes } = await keep(await picture("png", 640, 200));
    const thumb = await place.read(`${image.url}?size=thumb`);
    expect(Buffer.from(thumb.bytes).equals(Buffer.from(bytes))).toBe(true);
    expect(thumb.headers.get("content-type")).toBe("image/png");
  });

  test("of another size is not made", async () => {
    const { image } = await keep(PNG);
    expectProblem(await place.member.get(`${image.url}?size=huge`), 422, "validation");
  });
});

describe("what is no image", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';
  const text = (value: string) => new TextEncoder().encode(value);
  const cut = async (format: "jpeg" | "png" | "webp" | "avif") => {
    const bytes = await quarters(400, 300).toFormat(format).toBuffer();
    return bytes.subarray(0, Math.floor(bytes.length * 0.6));
  };
  test.each([
    ["an SVG", () => text(svg), "a.svg", "image/svg+xml"],
    ["an SVG that is called a PNG", () => text(svg), "a.png", "image/png"],
    [
      "a page that is called a JPEG",
      () => text("<!doctype html><h1>x</h1>"),
      "a.jpg",
      "image/jpeg",
    ],
    ["a TIFF", () => sharp(PNG).tiff().toBuffer(), "a.tiff", "image/tiff"],
    ["nothing", () => new Uint8Array(), "a.png", "image/png"],
    ["a GIF's first letters", () => text("GIF89a"), "a.gif", "image/gif"],
    ["half a JPEG", () => cut("jpeg"), "a.jpg", "image/jpeg"],
    ["half a PNG", () => cut("png"), "a.png", "image/png"],
    ["half a WebP", () => cut("webp"), "a.webp", "image/webp"],
    ["half an AVIF", () => cut("avif"), "a.avif", "image/avif"],
  ])("is refused: %s", async (_, bytes, name, type) => {
    const before = await place.kept();
    const answer = await send(await bytes(), name, type);
    expectProblem(answer, 422, "not_an_image");
    expect(JSON.stringify(answer.body)).not.toMatch(/vips|uploads\/|\/tmp/i);
    expect([await place.kept(), await place.incoming()]).toEqual([before, []]);
  });

  test("is refused before it is decoded where it has too many pixels", async () => {
    const bomb = await sharp({
      create: { width: 20_000, height: 4_000, channels: 3, background: "#fff" },
    })
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    expectProblem(await send(bomb), 422, "image_too_big");
  });

  test("is refused before it is decoded where it has too many frames", async () => {
    expectProblem(await send(await moving("gif", 1_001, 2, 2)), 422, "image_too_big");
  });

  test("is refused before it is decoded where its frames are too many pixels together", async () => {
    // The head says how large a frame is; the frames themselves are small.
    const bytes = Buffer.from(await moving("gif", 101, 8, 8));
    bytes.writeUInt16LE(2_000, 6);
    bytes.writeUInt16LE(2_000, 8);
    expectProblem(await send(bytes), 422, "image_too_big");
  });

  test("is refused before it is decoded where its frames take too much memory together", async () => {
    // As above: only the canvas is large, 200 megapixels in all.
    const bytes = Buffer.from(await moving("webp", 200, 8, 8));
    expect(bytes.toString("latin1", 12, 16)).toBe("VP8X");
    bytes.writeUIntLE(999, 24, 3);
    bytes.writeUIntLE(999, 27, 3);
    expectProblem(await send(bytes), 422, "image_too_big");
  });
});
