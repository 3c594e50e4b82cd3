import { describe, expect, test } from "bun:test";
import { extractHeadTags } from "../../src/previews/head-tags.ts";
import { readPageHead } from "../../src/previews/page-head.ts";

const url = new URL("https://site.example/news/today?x=1");
const read = (html: string) => readPageHead(html, url);
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`;

describe("what a page says of itself", () => {
  test("is its Open Graph first", () => {
    const head = read(`<!doctype html><html><head>
      <title>The title</title>
      <meta name="description" content="The description">
      <meta name="twitter:title" content="Twitter's title">
      <meta name="twitter:description" content="Twitter's description">
      <meta name="twitter:image" content="/twitter.png">
      <meta property="og:title" content="Open Graph's title">
      <meta property="og:description" content="Open Graph's description">
      <meta property="og:site_name" content="The site">
      <meta property="og:image" content="https://cdn.example/og.png">`);
    expect({ ...head, imageUrls: head.imageUrls.map(({ href }) => href) }).toEqual({
      title: "Open Graph's title",
      description: "Open Graph's description",
      siteName: "The site",
      imageUrls: ["https://cdn.example/og.png", "https://site.example/twitter.png"],
    });
  });

  test("is else what is meant for Twitter", () => {
    const head = read(`<title>The title</title><meta name="description" content="no">
      <meta name="twitter:title" content="t"><meta property="twitter:description" content="d">
      <meta name="twitter:image:src" content="i.png">`);
    expect(head).toMatchObject({ title: "t", description: "d", siteName: null });
    expect(head.imageUrls[0]?.href).toBe("https://site.example/news/i.png");
  });

  test("is else its title and description", () => {
    const head = read(`<title>t</title><META NAME=Description CONTENT=d>`);
    expect(head).toEqual({ title: "t", description: "d", siteName: null, imageUrls: [] });
  });

  test("is the first that says something", () => {
    expect(read(meta("og:title", " ") + meta("og:title", "a") + meta("og:title", "b")).title).toBe(
      "a",
    );
    expect(read(`${meta("og:title", "")}<title>t</title>`).title).toBe("t");
    expect(read("<title>a</title><svg><title>b</title></svg>").title).toBe("a");
  });

  test.each([
    ["/a.png", "https://site.example/a.png"],
    ["a.png", "https://site.example/news/a.png"],
    ["?a", "https://site.example/news/today?a"],
    ["//cdn.example/a.png", "https://cdn.example/a.png"],
    ["http://cdn.example/a.png?x=1&amp;y=2", "http://cdn.example/a.png?x=1&y=2"],
    ["http://", undefined],
  ])("has a picture's address relative to its own: %s", (given, address) => {
    expect(read(meta("og:image", given)).imageUrls[0]?.href).toBe(address as string);
  });

  test.each([
    [
      "named and numbered characters",
      "a &amp; b &lt;c&gt; &#39;d&#x27; &eacute;",
      "a & b <c> 'd' é",
    ],
    ["characters written twice", "a &amp;amp; b", "a &amp; b"],
    ["lines and blanks", "  a\n\t b&nbsp; c  ", "a b c"],
    ["controls", "a\u0000b\u0007c\u009bd\u007f", "abcd"],
    ["marks that turn the direction", "abc\u202egnp.exe\u2066\u200f", "abcgnp.exe"],
    ["what is not seen", "a\u200bb\ufeffc\u00add", "abcd"],
    ["what joins an emoji", "👩‍👩‍👧 ok", "👩‍👩‍👧 ok"],
    ["half a character", "a\ud800b", "a\ufffdb"],
  ])("is one clean line: %s", (_, given, title) => {
    expect(read(`<title>${given}</title>`).title).toBe(title);
    expect(read(meta("og:title", given)).title).toBe(title);
  });

  test("is cut where it is long, between characters", () => {
    const { title, description, siteName } = read(
      ["og:title", "og:description", "og:site_name"].map((n) => meta(n, "😀".repeat(600))).join(""),
    );
    expect([title, description, siteName].map((text) => [...(text ?? "")].length)).toEqual([
      200, 500, 100,
    ]);
    expect(title).toBe(`${"😀".repeat(199)}…`);
  });

  test("is nothing where it says nothing", () => {
    const nothing = { title: null, description: null, siteName: null, imageUrls: [] };
    for (const html of ["", "just text", "<p>x", "<title> </title>", "\u0000<", "<meta>"]) {
      expect(read(html)).toEqual(nothing);
    }
  });
});

describe("a head is searched", () => {
  test.each([
    ["a comment", "<!-- <title>no</title> -->"],
    ["a script", '<script>"<title>no</title>"</script>'],
    ["a style", "<style>/*<title>no</title>*/</style>"],
    ["a picture's title", "<svg><title>no</title></svg>"],
    ["a template", "<template><title>no</title></template>"],
    ["a quoted value", "<link title='<title>no</title>'>"],
    ["a value with an end in it", '<link x="</head>">'],
  ])("past %s", (_, before) => {
    expect(read(`${before}<title>yes</title>`).title).toBe("yes");
  });

  test("past its end, where some frameworks stream it", () => {
    const late = `<div hidden><title>T</title>${meta("og:title", "T")}${meta("og:image", "/i.png")}</div>`;
    const head = read(`<head><meta charset=utf-8></head><body><p class="a > b">x</p>${late}`);
    expect(head).toMatchObject({ title: "T", imageUrls: [{ href: "https://site.example/i.png" }] });
    expect(read("<head></head><title>late</title>").title).toBe("late");
  });

  test("past hundreds of tags that no preview uses", () => {
    const papers = meta("citation_reference", "x").repeat(1_000);
    expect(read(`${papers}${meta("og:title", "yes")}<title>t</title>`).title).toBe("yes");
  });

  test.each([
    ["pictures", '<meta property="og:image" content="x">'],
    ["parts of a video", '<meta property="og:video:tag" content="x">'],
    ["labels", '<meta name="twitter:label1" content="x">'],
    ["tags of an article", '<meta property="article:tag" content="x">'],
  ])("past hundreds of %s", (_, tag) => {
    expect(read(`${tag.repeat(400)}<meta property="og:title" content="T">`).title).toBe("T");
  });

  test("by several names at once, and in elements without tags in them", () => {
    expect(read('<meta property="og:title twitter:title" content="T">').title).toBe("T");
    const no = '<meta property="og:title" content="no">';
    for (const name of ["noembed", "noframes", "xmp", "textarea", "template"]) {
      expect(read(`<${name}>${no}</${name}><title>T</title>`).title).toBe("T");
    }
  });

  test("for its base, and for further pictures", () => {
    const images =
      meta("og:image", "a.png") + meta("og:image", "b.png") + meta("twitter:image", "/c.png");
    const { imageUrls } = read(`<base href="/deep/"><base href="/no/">${images}${images}`);
    expect(imageUrls.map(({ pathname }) => pathname)).toEqual([
      "/deep/a.png",
      "/deep/b.png",
      "/c.png",
    ]);
  });

  test("past what does not belong there", () => {
    expect(read(`<div><p>a < b</p></div>${meta("og:title", "yes")}`).title).toBe("yes");
  });

  test("with quotes inside quotes, and an end inside them", () => {
    const html = `<meta property="og:title" content='a "b" > c'><meta name=description content=it's>`;
    expect(read(html)).toMatchObject({ title: 'a "b" > c', description: "it's" });
  });

  test("as far as it is whole", () => {
    for (const broken of [
      "<!-- ",
      "<script>",
      '<link x="',
      "<meta content='",
      "<title>cut",
      "<me",
    ]) {
      expect(read(`${meta("og:title", "yes")}${broken}`).title).toBe("yes");
    }
  });

  test.each([
    ["many tags", "<meta a=b>"],
    ["many titles", "<title></title>"],
    ["deep", "<b>"],
    ["openings", "<"],
    ["comments without an end", "<!--"],
    ["scripts without an end", "<script>"],
    ["tags without an end", "<meta "],
    ["quotes without an end", `<meta content="`],
    ["equals signs", "<meta ="],
    ["long values", `<meta content="${"x".repeat(3_000)}">`],
  ])("without becoming long to parse: %s", (_, part) => {
    const hostile = part.repeat(Math.ceil((512 * 1024) / part.length));
    expect(extractHeadTags(hostile).length).toBeLessThanOrEqual(70_000);
    expect(read(hostile).title).toBeNull();
  });
});
