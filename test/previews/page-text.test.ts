import { describe, expect, test } from "bun:test";
import { parseCharset, readPageText } from "../../src/previews/page-text.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (bytes: Uint8Array, charset: string | null = null, size = 1_000) =>
  readPageText(pieces(bytes, size), charset);
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1")));

describe("what a page is written in", () => {
  test.each([
    ["UTF-8 without a word", Buffer.from("<title>Grüße 日本</title>"), null, "Grüße 日本"],
    ["UTF-8 by the header", Buffer.from("<title>Grüße</title>"), "utf-8", "Grüße"],
    ["Latin-1 by the header", bytesOf("<title>Gr\xfc\xdfe</title>"), "ISO-8859-1", "Grüße"],
    ["Latin-1 without a word", bytesOf("<title>Gr\xfc\xdfe</title>"), null, "Grüße"],
    [
      "Shift JIS by the header",
      bytesOf("<title>", [0x93, 0xfa, 0x96, 0x7b], "</title>"),
      "Shift_JIS",
      "日本",
    ],
    [
      "Shift JIS by a meta",
      bytesOf('<meta charset="shift_jis"><title>', [0x93, 0xfa, 0x96, 0x7b], "</title>"),
      null,
      "日本",
    ],
    [
      "windows-1251 by an old meta, after the title",
      bytesOf(
        "<title>",
        [0xcf, 0xf0, 0xe8],
        '</title><META http-equiv=Content-Type content="text/html; charset=windows-1251">',
      ),
      null,
      "При",
    ],
    [
      "UTF-16 by its mark",
      bytesOf([0xff, 0xfe], [...Buffer.from("<title>日</title>", "utf16le")]),
      null,
      "日",
    ],
    [
      "UTF-16 from the other end by its mark",
      bytesOf([0xfe, 0xff], [...utf16be("<title>日</title>")]),
      null,
      "日",
    ],
    ["UTF-16 by the header", Buffer.from("<title>日</title>", "utf16le"), "utf-16le", "日"],
    [
      "its mark rather than the header",
      bytesOf([0xef, 0xbb, 0xbf], [...Buffer.from("<title>ü</title>")]),
      "iso-8859-1",
      "ü",
    ],
    [
      "the header rather than a meta",
      bytesOf("<meta charset=shift_jis><title>\xfc</title>"),
      "iso-8859-1",
      "ü",
    ],
    [
      "a meta, where the header's word is unknown",
      bytesOf("<meta charset=latin1><title>\xfc</title>"),
      "x-made-up",
      "ü",
    ],
    [
      "UTF-8, where all words are unknown",
      Buffer.from("<meta charset=nonsense><title>ü</title>"),
      "nonsense",
      "ü",
    ],
    [
      "UTF-8, where a meta says what it cannot be",
      Buffer.from("<meta charset=utf-16><title>ü</title>"),
      null,
      "ü",
    ],
    [
      "what a meta says, not a comment",
      Buffer.from("<!-- <meta charset=shift_jis> --><title>ü</title>"),
      null,
      "ü",
    ],
  ])("is %s", async (_, bytes, charset, title) => {
    for (const size of [1, 2, 7, 1_000]) {
      expect(await read(bytes, charset, size)).toContain(`<title>${title}</title>`);
    }
  });

  test("is read from a content type", () => {
    expect(parseCharset("text/html; charset=utf-8")).toBe("utf-8");
    expect(parseCharset('text/html;Charset="Shift_JIS"; x=y')).toBe("Shift_JIS");
    expect(parseCharset("text/html; charset='koi8-r'")).toBe("koi8-r");
    expect(parseCharset("text/html, text/html; charset=utf-8")).toBe("utf-8");
    expect(parseCharset("text/html charset=koi8-r")).toBe("koi8-r");
    expect(parseCharset("text/html")).toBeNull();
  });

  test.each([
    '<meta charset="x-unknown"><meta charset="windows-1251">',
    '<meta name="keywords" content="charset=utf-8"><meta charset="windows-1251">',
    '<!-- <meta charset="utf-8"> --><meta charset = windows-1251 />',
    `<script>"<meta charset=utf-8>"</script><meta content='text/html; charset=windows-1251' http-equiv=Content-Type>`,
    `<?xml version='1.0' encoding='windows-1251' ?>`,
  ])("is read from %s", async (head) => {
    const bytes = bytesOf(head, "<title>", [0xcf, 0xf0, 0xe8], "</title>");
    expect(await read(bytes)).toContain("<title>При</title>");
  });
});

describe("a page is read", () => {
  async function taken(body: string): Promise<number> {
    let count = 0;
    async function* counted() {
      for await (const piece of pieces(Buffer.from(body), 1_000)) {
        count += piece.length;
        yield piece;
      }
    }
    await readPageText(counted(), "utf-8");
    return count;
  }
  const filler = "x".repeat(5_000_000);

  const all = ["title", "description", "site_name", "image"]
    .map((name) => `<meta property="og:${name}" content="x">`)
    .join("");

  test("until all that is needed was found", async () => {
    expect(await taken(`<head>${all}</head>${filler}`)).toBe(1_000);
    expect(await taken(`<head></head><body>${" ".repeat(50_000)}${all}<p>${filler}`)).toBe(51_000);
    expect(await taken(`<title>x</title></head><body>${filler}`)).toBe(filler.length + 29);
  });

  test("no further than other tags may be from its title", async () => {
    const title = `<meta property="og:title" content="x">`;
    expect(await taken(`${title}${"<p>x".repeat(1_000_000)}`)).toBeWithin(65_000, 80_000);
  });

  test("whole, where it is short or empty", async () => {
    expect(await read(Buffer.from("ab"))).toBe("");
    expect(await read(Buffer.from("<title>ab"))).toBe("");
    expect(await read(Buffer.from(""))).toBe("");
  });

  const PAGES = [
    `<head><script>w('<body onload="go()">')</script><title>T</title>${all}</head>`,
    `<head><script>w('</head>')</script><!--[if IE]><body class="ie"><![endif]--><!--><title>T</title>`,
    `<!---><!-- > --!><title >ü &amp; T</title ><svg/><p title="a > b"><meta name=description content='x'>`,
    `<?xml version="1.0" encoding="windows-1251"?><title>\xcf\xf0\xe8</title>`,
    `<meta charset='windows-1251'><title>\xcf\xf0\xe8</title>`,
    `\xef\xbb\xbf<title>\xc3\xbc</title><base href="/x/">`,
    `<style>a<b</style><textarea><meta name=description content=no></textarea><meta name=description content=yes><titl`,
  ];

  test.each(PAGES)("alike, wherever it is cut in two: %s", async (page) => {
    const bytes = Buffer.from(page, "latin1");
    const wanted = await read(bytes, null, bytes.length);
    expect(wanted).toContain("<");
    expect(await read(bytes, null, 1)).toBe(wanted);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      async function* halves() {
        yield bytes.subarray(0, cut);
        yield bytes.subarray(cut);
      }
      expect([cut, await readPageText(halves(), null)]).toEqual([cut, wanted]);
    }
  });
});
