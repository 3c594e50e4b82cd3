import { describe, expect, test } from "bun:test";
import { formatSlackMessage } from "../../../src/webhooks/incoming/slack/message.ts";
import { findEmoji } from "../../../src/webhooks/incoming/slack/emoji.ts";
import { formatMrkdwn } from "../../../src/webhooks/incoming/slack/mrkdwn.ts";
import { parseMarkdown } from "../../../src/wire/markdown/parse.ts";
import type { Block, Inline } from "../../../src/wire/markdown/tree.ts";

describe("mrkdwn", () => {
  test.each([
    ["plain", "plain"],
    ["*bold* and _italic_ and ~gone~", "**bold** and _italic_ and ~~gone~~"],
    ["*two words* here", "**two words** here"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["snake*case*name", "snake\\*case\\*name"],
    ["**already Markdown**", "**already Markdown**"],
    ["<https://example.org|a *fine* page>", "[a **fine** page](https://example.org)"],
    ["<https://example.org/?a=1&amp;b=2>", "https://example.org/?a=1&b=2"],
    ["<https://example.org/a_(b)|x>", "[x](https://example.org/a_%28b%29)"],
    ["<mailto:ada@example.org|ada@example.org>", "[ada@example.org](mailto:ada@example.org)"],
    [
      "<https://example.org|[x](https://evil.example)>",
      "[\\[x\\](https://evil.example)](https://example.org)",
    ],
    ["<javascript:alert(1)|click>", "<javascript:alert(1)|click>"],
    ["<@U123> <@U123|ada> <#C1|general>", "@U123 @ada #general"],
    ["<!here> <!channel> <!subteam^S1|@ops>", "@here @room @ops"],
    ["<!date^1392734382^{date}|18 February 2014>", "18 February 2014"],
    ["a &lt;b&gt; &amp;amp;", "a <b> &amp;"],
    ["`*not bold* &lt;x&gt;`", "`*not bold* <x>`"],
    [
      "see ```*raw* <https://x.example>\nmore``` end",
      "see \n```\n*raw* <https://x.example>\nmore\n```\n end",
    ],
    ["*unclosed and ~this", "\\*unclosed and ~this"],
    ["<unclosed", "<unclosed"],
  ])("%p is %p", (source, wanted) => {
    expect(formatMrkdwn(source)).toBe(wanted);
  });
});

describe("a message in Slack's form", () => {
  test("shows its blocks instead of the text that sums them up", () => {
    const text = formatSlackMessage({
      text: "summary",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Deploy *1*" } },
        { type: "divider" },
        {
          type: "section",
          text: { type: "mrkdwn", text: "*api* is <https://x.example|live>" },
          fields: [{ type: "mrkdwn", text: "*By*\nada" }],
          accessory: {
            type: "button",
            text: { type: "plain_text", text: "Logs" },
            url: "https://l.example",
          },
        },
        {
          type: "context",
          elements: [
            { type: "image", image_url: "https://i.example/a.png", alt_text: "cat" },
            { type: "mrkdwn", text: "took 3 s" },
          ],
        },
        {
          type: "actions",
          elements: [
            {
              type: "button",
              text: { type: "plain_text", text: "Open" },
              url: "https://o.example",
            },
            { type: "button", text: { type: "plain_text", text: "Dead" } },
          ],
        },
        { type: "unheard-of" },
      ],
    });
    expect(text).toBe(
      [
        "**Deploy \\*1\\***",
        "**api** is [live](https://x.example)\n**By**\nada\n[Logs](https://l.example)",
        "[cat](https://i.example/a.png) took 3 s",
        "[Open](https://o.example)",
      ].join("\n\n"),
    );
  });

  test("reads rich text", () => {
    const elements = [
      {
        type: "rich_text_section",
        elements: [
          { type: "text", text: "Hello " },
          { type: "text", text: "you*", style: { bold: true, italic: true } },
          { type: "text", text: " " },
          { type: "emoji", name: "tada" },
          { type: "link", url: "https://x.example", text: "there" },
        ],
      },
      {
        type: "rich_text_list",
        style: "ordered",
        elements: [
          { type: "rich_text_section", elements: [{ type: "text", text: "one" }] },
          {
            type: "rich_text_section",
            elements: [{ type: "text", text: "two", style: { code: true } }],
          },
        ],
      },
      { type: "rich_text_preformatted", elements: [{ type: "text", text: "let a;" }] },
      { type: "rich_text_quote", elements: [{ type: "text", text: "said" }] },
    ];
    expect(formatSlackMessage({ blocks: [{ type: "rich_text", elements }] })).toBe(
      "Hello **_you\\*_** 🎉[there](https://x.example)\n1. one\n2. `two`\n\n```\nlet a;\n```\n> said",
    );
  });

  test("puts attachments below the text, and a fallback only for an attachment without text", () => {
    const text = formatSlackMessage({
      text: "Look",
      attachments: [
        {
          fallback: "not shown",
          pretext: "New",
          title: "A title",
          title_link: "https://t.example",
          text: "*fine*",
          fields: [
            { title: "State", value: "good" },
            { title: "", value: "bare" },
          ],
          footer: "from_here",
        },
        { fallback: "shown" },
        {},
      ],
    });
    expect(text).toBe(
      "Look\n\nNew\n**[A title](https://t.example)**\n**fine**\n**State:** good\nbare\nfrom_here\n\nshown",
    );
  });

  test.each([
    [{}],
    [{ text: "  " }],
    [{ text: 5, blocks: "x", attachments: [null, 3] }],
    [{ blocks: [{ type: "divider" }] }],
  ])("without text is none: %j", (payload) => {
    expect(formatSlackMessage({ text: "", ...payload }).replace("5", "")).toBe("");
  });
});

/** What people see: text, with signs of this test's own for styles, links and blocks. */
function seen(source: string): string {
  const inline = (node: Inline): string => {
    if (node.type === "break") return "\n";
    if (node.type === "task") return "TASK";
    if (node.type === "code") return `⟦${node.text}⟧`;
    if (!("children" in node)) return node.text;
    const inside = node.children.map(inline).join("");
    if (node.type === "link") return inside === node.url ? inside : `${inside}→${node.url}`;
    return `${{ strong: "B", em: "I", strike: "S" }[node.type]}{${inside}}`;
  };
  const block = (node: Block): string => {
    if (node.type === "paragraph") return node.children.map(inline).join("");
    if (node.type === "quote") return `QUOTE{${node.children.map(block).join("\n\n")}}`;
    if (node.type === "code") return `CODE{${node.text}}`;
    return node.type.toUpperCase();
  };
  return parseMarkdown(source).map(block).join("\n\n");
}

describe("mrkdwn beside Markdown", () => {
  test.each([
    ["*<https://e.test/a|Graph>*", "B{Graph→https://e.test/a}"],
    ["*Deploy <https://e.test/a|#12> failed*", "B{Deploy #12→https://e.test/a failed}"],
    ["*Use the `/task` command*", "B{Use the ⟦/task⟧ command}"],
    ["*<!date^1700000000^{date}|Nov 14>*", "B{Nov 14}"],
    ["~<https://e.test/a|x>~", "S{x→https://e.test/a}"],
    ["_*both*_ *_both_* ~*_all_*~", "I{B{both}} B{I{both}} S{B{I{all}}}"],
    ["https://e.test/?q=*&w=* end", "https://e.test/?q=*&w=* end"],
    ["https://e.test/?x=~b~ end", "https://e.test/?x=~b~ end"],
    [
      "*https://e.test/?q=*&amp;r=1* (https://e.test/a_b_).",
      "B{https://e.test/?q=*&r=1} (https://e.test/a_b_).",
    ],
    ["<https://e.test/x>text", "https://e.test/xtext"],
    [
      "\\\\srv\\backup\\_new C:\\Temp\\*.log \\*no\\*",
      "\\\\srv\\backup\\_new C:\\Temp\\*.log \\*no\\*",
    ],
    ["__init__.py in __main__", "__init__.py in __main__"],
    ["# one\n## two", "# one\n## two"],
    ["- a\n1. b\n+ c\n* d\n---\n~~~\nx", "- a\n1. b\n+ c\n* d\n---\n~~~\nx"],
    ["a|b\n--|--\nc|d", "a|b\n--|--\nc|d"],
    ["[x](javascript:1) [ ] ![a](b)", "[x](javascript:1) [ ] ![a](b)"],
    [">>> a\nb\n\nc", "QUOTE{a\nb\n\nc}"],
    ["&gt; a\n&gt; *b*\nc", "QUOTE{a\nB{b}}\n\nc"],
    ["<slack://open|Open> <tel:+4912|call> <slack://open>", "Open call slack://open"],
    ["it`s *<https://e.test|a`b>*", "it`s B{a`b→https://e.test}"],
    ["it`s five o`clock", "it`s five o`clock"],
    ["⚠️*<https://e.test|x>*", "⚠️\u200aB{x→https://e.test}"],
    ["<https://e.test|*a* [b](c) _d_>", "B{a} [b](c) I{d}→https://e.test"],
    [":robot_face: :thumbsup::skin-tone-3: :nope_x_: 10:100:20", "🤖 👍🏼 :nope_x_: 10:100:20"],
    ["```a ``` b ```c", "CODE{a }\n\nb ```c"],
    ["> ```a```", "QUOTE{CODE{a}}"],
    ["x\n&gt; b ```a\nc```\ny", "x\n\nQUOTE{b \n\nCODE{a\nc}}\n\ny"],
    ["`` a ` b", "`\u200a⟦ a ⟧ b"],
    ["<https://e.test|two\n lines> x", "two lines→https://e.test x"],
    ["<https://e.test/job/My Job/1|#1>", "#1→https://e.test/job/My%20Job/1"],
    ["<!-- no mark --> <!> <!DOCTYPE>", "<!-- no mark --> <!> <!DOCTYPE>"],
    [
      "*<https://e.test/a|A> and <https://e.test/b|B>*",
      "B{A→https://e.test/a and B→https://e.test/b}",
    ],
    ["*:tada: `a` <!date^1^{date}|now>*", "B{🎉 ⟦a⟧ now}"],
    ["/*a*/ f(*b, **c) x*d*y", "/B{a}/ f(*b, **c) x*d*y"],
    ["https://e.test/~u/?q=a*b*c_d_#_e_ z", "https://e.test/~u/?q=a*b*c_d_#_e_ z"],
    ["=====\n:---:\n***\n- [ ] a", "=====\n:---:\n***\n- [ ] a"],
    [":people_holding_hands::skin-tone-2-3: :e-mail: :flag-england:", "🧑🏻‍🤝‍🧑🏼 📧 🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ])("%p shows %p", (source, wanted) => {
    expect(seen(formatMrkdwn(source))).toBe(wanted);
  });

  test("shows a text without markup exactly as it was sent", () => {
    const pieces = [
      ..."\\#>-+.()[]|!=:;,'\"{}^$%@&1ab é中🔥\n\n ",
      ..." \n",
      ...["__", "**", "~~", "](", "![", "# ", "- ", "1. ", "1) ", "+ ", "|-|", "---", "[ ] "],
    ];
    const random = numbers(7);
    const pick = (limit: number) => Math.floor((random.next().value as number) * limit);
    for (let round = 0; round < 5_000; round += 1) {
      const words = Array.from({ length: 1 + pick(24) }, () => pieces[pick(pieces.length)]);
      // One of each at most: one alone is no markup.
      for (const mark of ["*", "_", "`", "~"]) words.splice(pick(words.length), 0, mark);
      const text = words
        .join("")
        .replace(/\*\*/g, "*")
        .replace(/\*(?=.*\*)/g, "")
        .replace(/^>+/gm, "");
      const sent = text.replaceAll("&", "&amp;");
      const shape = (one: string) =>
        one
          .replace(/[ \t]+/g, " ")
          .replace(/ ?\n\s*/g, "\n")
          .trim();
      const wanted = shape(text);
      const shown = shape(seen(formatMrkdwn(sent)));
      expect(JSON.stringify({ text, shown })).toBe(JSON.stringify({ text, shown: wanted }));
    }
  });
});

test("a text whose markup is turned off shows its signs", () => {
  const text = "*a* <https://e.test|b> &amp; _c_\n> d";
  expect(seen(formatSlackMessage({ text, mrkdwn: false }))).toBe("*a* b & _c_\n> d");
});

/** The same numbers in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test("styles, links and code in any order and depth are shown as they were sent", () => {
  const random = numbers(11);
  const pick = <T>(all: T[]): T =>
    all[Math.floor((random.next().value as number) * all.length)] as T;
  const decode = (text: string) =>
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  const STYLES = { "*": "B", _: "I", "~": "S" };
  const WORDS = [
    ...["a", "word", "Ünï", "日本", "1.", "#12", "C:\\x", "(b)", "[c]", "x_y_z", "2*3", "a|b"],
    ...[
      "&amp;",
      "&lt;t&gt;",
      "don't",
      "—",
      '"q"',
      "!",
      "\\",
      "__init__",
      "http:",
      "{}",
      "@x:",
      "#",
    ],
  ];
  const EMOJI = [
    [":tada:", "🎉"],
    [":robot_face:", "🤖"],
    [":nope_x:", ":nope_x:"],
  ];
  /** What is sent, and what is seen. */
  type Pair = [string, string];
  const wordPair = (): Pair => {
    const word = pick(WORDS);
    return [word, decode(word)];
  };
  const makePart = (outer: string): Pair => {
    const kind = pick(["word", "word", "code", "link", "address", "emoji", "style", "style"]);
    if (outer.length > 3) return wordPair();
    if (kind === "emoji") return pick(EMOJI) as Pair;
    if (kind === "code") {
      const code = pick(["x", "a b", "*n*", "_", "~/p", "&lt;t&gt;"]);
      return [`\`${code}\``, `⟦${decode(code)}⟧`];
    }
    if (kind === "address" && !outer.includes("<")) {
      const url = pick(["https://e.test/a_b", "https://e.test/x?y=1*2", "https://e.test/~u/"]);
      return [url, url];
    }
    if (kind === "link" && !outer.includes("<")) {
      const url = pick([
        "https://e.test/a_b_c",
        "https://e.test/?q=1&amp;r=2",
        "https://e.test/~u/#x",
      ]);
      const [sent, shown] = makeLine(`${outer}<`);
      return [`<${url}|${sent}>`, `${shown}→${decode(url)}`];
    }
    const mark = pick(["*", "_", "~"] as const);
    if (kind !== "style" || outer.includes(mark)) return wordPair();
    const [sent, shown] = makeLine(outer + mark);
    return sent.includes(mark) ? wordPair() : [mark + sent + mark, `${STYLES[mark]}{${shown}}`];
  };
  const makeLine = (outer: string): Pair => {
    const parts = Array.from({ length: pick([1, 2, 3, outer === "" ? 6 : 2]) }, () =>
      makePart(outer),
    );
    return [parts.map(([sent]) => sent).join(" "), parts.map(([, shown]) => shown).join(" ")];
  };
  const shape = (text: string) =>
    text
      .replace(/\u200a/g, "")
      .replace(/\s+/g, " ")
      .trim();
  for (let round = 0; round < 5_000; round += 1) {
    const [sent, wanted] = makeLine("");
    const shown = shape(seen(formatMrkdwn(sent)));
    expect({ sent, shown }).toEqual({ sent, shown: shape(wanted) });
  }
});

describe("an attachment", () => {
  const of = (attachment: object) => seen(formatSlackMessage({ attachments: [attachment] }));

  test("has a title in plain text, with one link", () => {
    const title = "*Build* #5 <https://e.test|x> &amp; _y_";
    expect(of({ title, title_link: "https://t.test" })).toBe(
      "B{*Build* #5 x & _y_→https://t.test}",
    );
    expect(of({ title })).toBe("B{*Build* #5 x & _y_}");
  });

  test("shows the buttons that lead somewhere", () => {
    const actions = [
      { type: "button", text: "Runbook :green_book:", url: "https://e.test/runbook" },
      { type: "button", text: "Silence", value: "x" },
      { type: "button", text: "Graph", url: "https://e.test/graph" },
    ];
    expect(of({ title: "[FIRING:1] X", text: "t", actions })).toBe(
      "B{[FIRING:1] X}\nt\nRunbook 📗→https://e.test/runbook · Graph→https://e.test/graph",
    );
  });

  test("shows the words of buttons in any form, and addresses with spaces", () => {
    const actions = [
      { type: "button", text: { type: "plain_text", text: "Block" }, url: "https://e.test/b" },
      { type: "button", name: "Named", url: "https://e.test/a job" },
      { url: "https://e.test/bare" },
      { text: "No way", url: "javascript:alert(1)" },
      { type: "select", text: "No list", options: [] },
      null,
    ];
    expect(of({ title: "T", title_link: "https://e.test/my job", actions })).toBe(
      "B{T→https://e.test/my%20job}\nBlock→https://e.test/b · Named→https://e.test/a%20job · https://e.test/bare",
    );
  });

  test("ends a field's name as its sender did", () => {
    const fields = [
      { title: "Time:", value: "now" },
      { title: "Why?", value: "so" },
    ];
    expect(of({ fields })).toBe("B{Time:} now\nB{Why?} so");
  });

  test("shows fields of any simple value", () => {
    const fields = [
      { title: "Flag", value: true },
      { title: "Off", value: false },
      { title: "n", value: 0 },
      { title: "_t_", value: "> q" },
      { title: "Next", value: "*b*" },
    ];
    expect(of({ fields })).toBe(
      "B{Flag:} true\nB{Off:} false\nB{n:} 0\nB{_t_:}\n\nQUOTE{q}\n\nB{Next:} B{b}",
    );
  });
});

test.each([
  [":robot_face:", "🤖"],
  [":flag-de:", "🇩🇪"],
  [":large_green_circle:", "🟢"],
  [":simple_smile:", "🙂"],
  [":man-shrugging:", "🤷‍♂️"],
  [":male-technologist:", "👨‍💻"],
  [":thumbsup::skin-tone-3:", "👍🏼"],
  ["tada", "🎉"],
  ["🤖", "🤖"],
  ["⚠", "⚠️"],
  [":nope:", null],
  ["constructor", null],
  ["x 🤖", null],
])("the icon %p is %p", (code, emoji) => {
  expect(findEmoji(code)).toBe(emoji);
});

test("rich text names groups and colours", () => {
  const elements = [
    { type: "usergroup", usergroup_id: "S1" },
    { type: "text", text: " " },
    { type: "color", value: "#F405B3" },
  ];
  const section = { type: "rich_text_section", elements };
  expect(formatSlackMessage({ blocks: [{ type: "rich_text", elements: [section] }] })).toBe(
    "@S1 #F405B3",
  );
});

test("rich text may go on with a list's number behind another list", () => {
  const part = (style: string, text: string, more: object) => ({
    type: "rich_text_list",
    style,
    ...more,
    elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }],
  });
  const elements = [part("bullet", "a", {}), part("ordered", "b", { offset: 3 })];
  expect(formatSlackMessage({ blocks: [{ type: "rich_text", elements }] })).toBe("- a\n\n4. b");
  const nested = [
    ...[part("ordered", "a", {}), part("bullet", "b", { indent: 1 })],
    part("ordered", "c", { offset: 1 }),
  ];
  expect(formatSlackMessage({ blocks: [{ type: "rich_text", elements: nested }] })).toBe(
    "1. a\n    - b\n2. c",
  );
});

test("preformatted rich text may hold a fence", () => {
  const elements = [
    { type: "rich_text_preformatted", elements: [{ type: "text", text: "a\n```\nb" }] },
  ];
  expect(seen(formatSlackMessage({ blocks: [{ type: "rich_text", elements }] }))).toBe(
    "CODE{a\n```\nb}",
  );
});
