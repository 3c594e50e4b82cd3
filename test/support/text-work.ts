import { findMatches as findKeywords, makeIndex } from "../../src/activity/keywords.ts";
import { cleanFileName } from "../../src/platform/input/file-names.ts";
import { cleanText, readPageHead } from "../../src/previews/page-head.ts";
import { extractHeadTags } from "../../src/previews/head-tags.ts";
import { buildPayload } from "../../src/push/payload.ts";
import { toExcerpt } from "../../src/rooms/newest-pin.ts";
import { hasCode } from "../../src/search/tokens.ts";
import { formatAlerts } from "../../src/webhooks/incoming/alerts.ts";
import { formatGithubEvent } from "../../src/webhooks/incoming/github.ts";
import { formatSlackMessage } from "../../src/webhooks/incoming/slack/message.ts";
import { makeExcerpt, toPlainText } from "../../src/wire/markdown/plain.ts";
import { extractReferences } from "../../src/wire/markdown/extract.ts";
import { parseMarkdown } from "../../src/wire/markdown/parse.ts";
import { parseQuery } from "../../src/wire/search.ts";
import { findMatches } from "../../src/wire/search-match.ts";
import { tokenizeTexts } from "../../src/wire/search-tokens.ts";
import { hasVisible } from "../../src/wire/unicode.ts";
import { isEmojiOnly } from "../../public/app/parts/emoji/emoji-only.ts";
import { readFound, Snippet } from "../../public/app/search/snippet.tsx";
import { rankChoices } from "../../public/app/state/search/choices.ts";
import { applyFormat, continueList, isInCode } from "../../public/app/state/composer/formatting.ts";
import { looksLikeCode } from "../../public/app/state/composer/looks-like-code.ts";
import { completionQueryAt } from "../../public/app/state/composer/completion-candidates.ts";

const TERMS = parseQuery('"x beta" beta 上海 a "上" "_ *"').parts.flatMap((part) =>
  part.kind === "text" ? [part.term] : [],
);
const KEYWORDS = makeIndex([{ id: "someone", keywords: ["beta", "a.b", "上海"] }]);
const PAGE = new URL("https://example.org/");

const notified = (content: string) =>
  buildPayload(
    {
      messageId: "m",
      roomId: "r",
      threadId: null,
      kind: "room",
      roomName: "room",
      sender: "Ada",
      content,
      hasImage: false,
      createdAt: new Date(0),
    },
    { is_mentioned: false, preview: "full" },
    "https://chat.example.org",
  );
const end = (text: string) => ({ text, start: text.length, end: text.length });
const richText = (elements: unknown[]) => ({
  blocks: [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }],
});

/**
 * Everything that is done with a text of one person while others wait: in the service, or in the browser of
 * everyone who sees it.
 */
export const TEXT_WORK: Record<string, (text: string) => unknown> = {
  "parse Markdown": parseMarkdown,
  "plain text": toPlainText,
  "excerpt of a quote": (text) => makeExcerpt(text, 300),
  "excerpt of a pin": (text) => toExcerpt(text.slice(0, 560)),
  "mentions, rooms, URL": extractReferences,
  "visible text": hasVisible,
  "push text": notified,
  "search index": (text) => [tokenizeTexts([text]), hasCode(text)],
  "search matches": (text) => findMatches(text, TERMS),
  "search query": (text) => parseQuery(text.slice(0, 400)),
  "search snippet": (text) => {
    const { shown, address } = readFound(text, findMatches(text, TERMS), TERMS);
    return [Snippet(shown), Snippet(address)];
  },
  keywords: (text) => findKeywords(KEYWORDS, { id: "m", content: text }),
  "title of a preview": (text) => cleanText(text, 200),
  "head of a page": (text) => extractHeadTags(text),
  "page of a preview": (text) =>
    readPageHead(`<title>${text}</title><meta property="og:title" content="${text}">`, PAGE),
  "name of a file": cleanFileName,
  "Slack's text": (text) => formatSlackMessage({ text }),
  "Slack's attachment": (text) =>
    formatSlackMessage({ attachments: [{ title: text, fields: [{ title: text, value: text }] }] }),
  "Slack's rich text": (text) =>
    formatSlackMessage(richText([{ type: "text", text, style: { bold: true, italic: true } }])),
  "Slack's code": (text) =>
    formatSlackMessage(richText([{ type: "text", text: ` ${text}`, style: { code: true } }])),
  "Slack's link": (text) =>
    formatSlackMessage(richText([{ type: "link", text, url: "https://a.b" }])),
  "GitHub's comment": (text) =>
    formatGithubEvent("issue_comment", { action: "created", comment: { body: text } }),
  alerts: (text) =>
    formatAlerts({ status: "firing", alerts: [{ annotations: { summary: text } }] }),
  "emoji only": isEmojiOnly,
  "name that is typed": (text) => [
    completionQueryAt(text, text.length),
    isInCode(text, text.length),
  ],
  "format that is typed": (text) => [
    applyFormat("bold", { text, start: 0, end: text.length }),
    continueList(end(text)),
    looksLikeCode(text),
  ],
  switcher: (text) =>
    rankChoices(
      Array.from({ length: 50 }, (_, i) => ({
        kind: "action",
        icon: [],
        key: String(i),
        run() {},
        label: text.slice(i * 80, i * 80 + 80),
      })),
      text.slice(0, 80),
    ),
};
