import { describe, expect, test } from "bun:test";
import { extractReferences } from "../../src/wire/markdown/extract.ts";
import { parseMarkdown } from "../../src/wire/markdown/parse.ts";
import type { Block, Inline } from "../../src/wire/markdown/tree.ts";

/** A tree as one line: `p(…)`, `quote(…)`, `ul[…|…]`, `b(…)`, `code{…}`, `@name`, `link<url>(…)`. */
function draw(blocks: Block[]): string {
  return blocks.map(drawBlock).join(" ");
}

function drawBlock(block: Block): string {
  if (block.type === "paragraph") return `p(${drawInlines(block.children)})`;
  if (block.type === "code") return `${block.language ?? ""}{${block.text}}`;
  if (block.type === "quote") return `quote(${draw(block.children)})`;
  if (block.type === "heading") return `h${block.level}(${drawInlines(block.children)})`;
  if (block.type === "rule") return "rule";
  if (block.type === "table") {
    const rows = [block.head, ...block.rows].map((row) => row.map(drawInlines).join("|"));
    return `table<${block.align.map((item) => item?.[0] ?? "-").join("")}>[${rows.join("/")}]`;
  }
  return `${block.start === null ? "ul" : `ol${block.start}`}[${block.items.map(draw).join("|")}]`;
}

function drawInlines(inlines: Inline[]): string {
  return inlines.map(drawInline).join("");
}

function drawInline(inline: Inline): string {
  switch (inline.type) {
    case "text":
      return inline.text;
    case "break":
      return "⏎";
    case "task":
      return inline.isDone ? "[x]" : "[ ]";
    case "code":
      return `code{${inline.text}}`;
    case "link":
      return `link<${inline.url}>(${drawInlines(inline.children)})`;
    case "mention":
    case "room":
    case "emoji":
      return `${inline.type}(${inline.name})`;
    default:
      return `${inline.type}(${drawInlines(inline.children)})`;
  }
}

const drawn = (text: string) => draw(parseMarkdown(text));

describe("styles", () => {
  test.each([
    ["*a* _b_ **c** __d__ ~~e~~", "p(em(a) em(b) strong(c) strong(d) strike(e))"],
    ["***a*** **b _c_**", "p(em(strong(a)) strong(b em(c)))"],
    ["snake_case_name 2*3*4", "p(snake_case_name 2em(3)4)"],
    ["**open and * lone ~ ~~", "p(**open and * lone ~ ~~)"],
    ["\\*not\\* \\@bob", "p(*not* @bob)"],
    ["a `b *c*` ``d ` e`` ` f", "p(a code{b *c*} code{d ` e} ` f)"],
  ])("%s", (text, tree) => expect(drawn(text)).toBe(tree));

  test.each([
    ["**「全角」**です", "strong(「全角」)です"],
    ["これは**「重要」**です", "これはstrong(「重要」)です"],
    ["**重要：**次", "strong(重要：)次"],
    ["**重要。**次に", "strong(重要。)次に"],
    ["请看**《红楼梦》**和*（注）*吧", "请看strong(《红楼梦》)和em(（注）)吧"],
    ["~~「古い」~~です、次は~~古い。~~新", "strike(「古い」)です、次はstrike(古い。)新"],
    ["**“强调”**的 **(重要)**です **a.**字", "strong(“强调”)的 strong((重要))です strong(a.)字"],
    ["**중요!**입니다 그는**'안녕'**이라고", "strong(중요!)입니다 그는strong('안녕')이라고"],
    ["***「全角」***です", "em(strong(「全角」))です"],
    ["𠮷**(重)**𠮷 葛\u{e0100}**(重)**葛", "𠮷strong((重))𠮷 葛\u{e0100}strong((重))葛"],
    ["a**(b)**c", "a**(b)**c"],
    ["2 ** 3 **「 a ** 「b", "2 ** 3 **「 a ** 「b"],
  ])("of East Asian texts: %s", (text, tree) => expect(drawn(text)).toBe(`p(${tree})`));
});

describe("blocks", () => {
  test.each([
    ["a\nb  \nc", "p(a⏎b  ⏎c)"],
    ["a\n\n\nb", "p(a) p(b)"],
    ["> a\n> b\nc\n\nd", "quote(p(a⏎b⏎c)) p(d)"],
    ["> a\n> > b", "quote(p(a) quote(p(b)))"],
    ["- a\n- b\n  - c\n\n+ d", "ul[p(a)|p(b) ul[p(c)]] ul[p(d)]"],
    ["3. a\n4. b", "ol3[p(a)|p(b)]"],
    ["a\n- b", "p(a) ul[p(b)]"],
    ["```ts\nlet a;\n\n  b\n```\nc", "ts{let a;\n\n  b} p(c)"],
    ["```\nnever closed @a", "{never closed @a}"],
    ["> ```\n> a\n> b\n> ```", "quote({a\nb})"],
    ["- a\n  ```\n  b\n    c\n  ```", "ul[p(a) {b\n  c}]"],
    ["-", "p(-)"],
    [">", "p(>)"],
    ["", ""],
  ])("%j", (text, tree) => expect(drawn(text)).toBe(tree));

  test.each([
    ["# a *b*\n###### c ##\nd", "h1(a em(b)) h6(c) p(d)"],
    ["a\n## b", "p(a) h2(b)"],
    ["#\n#a\n# #\n####### b", "p(#⏎room(a)⏎# #⏎####### b)"],
    ["> # a", "quote(h1(a))"],
    ["a\n---\nb\n\n* * *", "p(a) rule p(b) rule"],
    ["- [ ] a\n- [x] *b*\n- [ ]\n- [y] c", "ul[p([ ]a)|p([x]em(b))|p([ ])|p([y] c)]"],
    ["[x] a", "p([x] a)"],
    ["|a|b|\n|-|:-:|\n|*c*||\n|d|e|f|\ng", "table<-c>[a|b/em(c)|/d|e/g]"],
    ["a | b\n:-- | --:\n`c|d` | \\|", "table<lr>[a|b/`c|d`]"],
    ["text\n|a|\n|-|\n|@bob|\n\nafter", "p(text) table<->[a/mention(bob)] p(after)"],
    ["|a|\n|b|", "p(|a|⏎|b|)"],
    ["|a|b|\n|-|", "p(|a|b|⏎|-|)"],
    ["|`x\\|y`|\n|-|\n|``a\\|b``|", "table<->[code{x|y}/code{a|b}]"],
    ["|a\\|b|**c\\|d**|\n|-|-|", "table<-->[a|b|strong(c|d)]"],
    ["|[a\\|b](https://a.b/c\\|d)|\n|-|", "table<->[link<https://a.b/c|d>(a|b)]"],
    ["|https://a.b/c\\|d|\n|-|", "table<->[link<https://a.b/c|d>(https://a.b/c|d)]"],
    ["`x\\|y`", "p(code{x\\|y})"],
  ])("%j, as it is pasted from elsewhere", (text, tree) => expect(drawn(text)).toBe(tree));

  test.each([
    ["![alt](https://a.test/i.png)", "link<https://a.test/i.png>(alt)"],
    ['See![a *b*](https://a.test/i.png "title")!', "Seelink<https://a.test/i.png>(a em(b))!"],
    ["![](https://a.test/i.png)", "link<https://a.test/i.png>(https://a.test/i.png)"],
    ["[![build](https://a.test/b.svg)](https://a.test/ci)", "link<https://a.test/ci>(build)"],
    ["[![](https://a.test/b.svg)](https://a.test)", "link<https://a.test>(https://a.test)"],
    ["\\![a](https://a.test)", "!link<https://a.test>(a)"],
    [
      "![a](b.png) ![a] !(https://a.test)",
      "![a](b.png) ![a] !(link<https://a.test>(https://a.test))",
    ],
  ])("an image is a link with its description: %s", (text, tree) =>
    expect(drawn(text)).toBe(`p(${tree})`),
  );

  test("are no underlined headings, HTML or entities", () => {
    expect(drawn("a\n=\nb\n<b>d</b>\n<div>\n&amp;")).toBe("p(a⏎=⏎b⏎<b>d</b>⏎<div>⏎&amp;)");
    expect(drawn("    a\n[x]: http://y.z\n[x]")).toBe("p(a⏎[x]: link<http://y.z>(http://y.z)⏎[x])");
  });
});

describe("links", () => {
  test.each([
    ["[a *b*](https://c.d)", "link<https://c.d>(a em(b))"],
    ['[a](http://b.c "title")', "link<http://b.c>(a)"],
    ["[a](<http://b.c>)", "link<http://b.c>(a)"],
    ["[a](http://b.c/d_(e))", "link<http://b.c/d_(e)>(a)"],
    ["[a [b] c](mailto:d@e.f)", "link<mailto:d@e.f>(a [b] c)"],
    ["[](http://a.b)", "link<http://a.b>(http://a.b)"],
    ["[@bob #a http://x.y](http://b.c)", "link<http://b.c>(@bob #a http://x.y)"],
    ["<https://a.b/?c=d>", "link<https://a.b/?c=d>(https://a.b/?c=d)"],
  ])("%s", (text, tree) => expect(drawn(text)).toBe(`p(${tree})`));

  test.each([
    "[a](javascript:alert)",
    "[a](JaVaScRiPt:alert)",
    "[a](data:text/html,b)",
    "[a](vbscript:b)",
    "[a](/b)",
    "[a](//b.c)",
    "[a](http://)",
    "[a](java\tscript:b)",
    "<javascript:a>",
    "ftp://a.b file:///etc/passwd www.a.b",
    "xhttp://a.b",
  ])("%s is text", (text) => expect(drawn(text)).toBe(`p(${text})`));

  test("longer than 2,048 are text", () => {
    const text = `http://a.b/${"c".repeat(2_048)}`;
    expect(drawn(text)).toBe(`p(${text})`);
    expect(drawn(`[a](${text})`)).toBe(`p([a](${text}))`);
  });

  test.each([
    ["https://a.b.", "link<https://a.b>(https://a.b)."],
    ["(see http://a.b/c?d=e&f#g)", "(see link<http://a.b/c?d=e&f#g>(http://a.b/c?d=e&f#g))"],
    ["http://a.b/c_(d)", "link<http://a.b/c_(d)>(http://a.b/c_(d))"],
    ["**http://a.b**, x", "strong(link<http://a.b>(http://a.b)), x"],
    ["HTTP://A.B/_c_d_", "link<HTTP://A.B/_c_d>(HTTP://A.B/_c_d)_"],
    ["见http://a.b/c。好", "见link<http://a.b/c>(http://a.b/c)。好"],
    ["http://a.b:8080/@c#d", "link<http://a.b:8080/@c#d>(http://a.b:8080/@c#d)"],
  ])("bare: %s", (text, tree) => expect(drawn(text)).toBe(`p(${tree})`));

  const URL = "https://a.test/x";
  test.each([
    ..."”’…»›“„‘«‚،।–—".split("").map((sign) => ["", sign] as const),
    ...[
      "\u200b",
      "\u200d",
      "\ufeff",
      "\u2060",
      "\u200e",
      "\u00ad",
      "．",
      "］",
      "｝",
      "」",
      "　",
    ].map((sign) => ["", sign] as const),
    ...([
      ["“", "”."],
      ["‘", "’…"],
      ["«", "»"],
      ["{", "}"],
      ["[", "]"],
      ["|", "|"],
      ["(", ")”"],
      ["“", "”, he said"],
    ] as const),
    ["", "\u200bnext"],
    ["", "”next"],
  ])("bare, between %j and %j", (before, after) => {
    expect(drawn(before + URL + after)).toBe(`p(${before}link<${URL}>(${URL})${after})`);
    expect(extractReferences(before + URL + after).url).toBe(URL);
  });

  test.each([
    ..."/{id}/x,/x|b,/a^b,/a[1],/a[1]/b,/?a[]=1&b={c},/x\\y,/{{a}},/a_(b)_[c]_{d},/Hobson’s,/#{a}|b"
      .split(",")
      .map((path) => `https://a.test${path}`),
  ])("bare: all of %s, or nothing", (url) => {
    expect(drawn(`${url}, (${url})`)).toBe(`p(link<${url}>(${url}), (link<${url}>(${url})))`);
    expect(extractReferences(`**${url}**`).url).toBe(url);
  });
});

describe("names", () => {
  test.each([
    ["@bob, (@a.b-c_d) @X!", "mention(bob), (mention(a.b-c_d)) mention(x)!"],
    ["@bob. @bob's @bob: @bob_", "mention(bob). mention(bob)'s mention(bob): mention(bob)_"],
    ["**@bob** _@bob_ ~~@bob~~", "strong(mention(bob)) em(mention(bob)) strike(mention(bob))"],
    ["你好@bob你好", "你好mention(bob)你好"],
    ["#general,#b-2_c #1", "room(general),room(b-2_c) room(1)"],
    [":wave: :+1::tada:", "emoji(wave) emoji(+1)emoji(tada)"],
  ])("%s", (text, tree) => expect(drawn(text)).toBe(`p(${tree})`));

  test.each([
    "a@b.c @ @- @@bob @bob@example.org /@bob",
    `@${"a".repeat(33)} #${"b".repeat(41)}`,
    "@müller a#b # #- ##a &#39; C# #föö",
    "10:30:45 a:b:c : : ::",
  ])("%s: none", (text) => expect(drawn(text)).toBe(`p(${text})`));

  test("keep how they were written", () => {
    expect(parseMarkdown("@Bob #General")).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "mention", name: "bob", text: "@Bob" },
          { type: "text", text: " " },
          { type: "room", name: "general", text: "#General" },
        ],
      },
    ]);
  });
});

describe("hostile texts", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;

  test.each([
    ["quotes", `${">".repeat(7_999)}a`],
    ["quotes and lists", `${"> - ".repeat(1_999)}a`],
    ["lists", Array.from({ length: 88 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n")],
    ["styles", "*a _b ".repeat(1_300) + "c_ d*".repeat(30)],
    ["brackets", `${"[".repeat(4_000)}${"](http://a.b)".repeat(300)}`],
  ])("%s nest no deeper than can be drawn", (_, text) => {
    expect(depthOf(parseMarkdown(text))).toBeLessThan(90);
  });
});
