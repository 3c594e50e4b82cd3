import { describe, expect, test } from "bun:test";
import { formatSlackMessage } from "../../../src/webhooks/incoming/slack/message.ts";
import { formatMrkdwn } from "../../../src/webhooks/incoming/slack/mrkdwn.ts";

describe("mrkdwn", () => {
  test.each([
    ["plain", "plain"],
    ["*bold* and _italic_ and ~gone~", "**bold** and _italic_ and ~~gone~~"],
    ["*two words* here", "**two words** here"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["snake*case*name", "snake*case*name"],
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
    ["*unclosed and ~this", "*unclosed and ~this"],
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
      "Hello ***you\\**** :tada:[there](https://x.example)\n1. one\n2. `two`\n```\nlet a;\n```\n> said",
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
      "Look\n\nNew\n**[A title](https://t.example)**\n**fine**\n**State:** good\nbare\nfrom\\_here\n\nshown",
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
