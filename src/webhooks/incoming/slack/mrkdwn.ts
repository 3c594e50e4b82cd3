import { formatLink } from "../json.ts";

/** Code, in which nothing else is formatted, and what is in angle brackets. */
const PARTS = /```[\s\S]*?```|`[^`\n]+`|<[^<>\n]+>/g;

/**
 * Formats Slack's mrkdwn as Markdown (Slack: "Formatting text for app surfaces"): `<url|label>`,
 * mentions, `*bold*`, `~strike~`, and `&amp;`, `&lt;`, `&gt;`.
 */
export function formatMrkdwn(source: string): string {
  let text = "";
  let at = 0;
  for (const match of source.matchAll(PARTS)) {
    text += formatStyles(source.slice(at, match.index)) + formatPart(match[0]);
    at = match.index + match[0].length;
  }
  return (text + formatStyles(source.slice(at))).trim();
}

function formatPart(token: string): string {
  if (token.startsWith("```")) return formatFence(token);
  if (token.startsWith("`")) return decodeEntities(token);
  return formatBracket(token.slice(1, -1));
}

/** Slack allows text after the opening fence, where Markdown would read the name of a language. */
function formatFence(token: string): string {
  const code = decodeEntities(token.slice(3, -3)).replace(/^\n|\n$/g, "");
  return `\n\`\`\`\n${code}\n\`\`\`\n`;
}

/** `<url|label>`, `<@U1|name>`, `<#C1|name>`, `<!here>`, `<!date^…|words>`. */
function formatBracket(inside: string): string {
  const [target = "", label = ""] = inside.split(/\|(.*)/s);
  const words = decodeEntities(label);
  if (target.startsWith("@")) return `@${words.replace(/^@/, "") || target.slice(1)}`;
  if (target.startsWith("#")) return `#${words.replace(/^#/, "") || target.slice(1)}`;
  if (target === "!channel" || target === "!everyone") return "@room";
  if (target === "!here") return "@here";
  if (target.startsWith("!")) return words || `@${target.slice(1).split("^")[0]}`;
  const url = decodeEntities(target);
  // Unchanged if it is not an address.
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return `<${decodeEntities(inside)}>`;
  return words ? formatLink(formatStyles(label).replace(/[[\]]/g, "\\$&"), url) : url;
}

/** `*bold*` and `~strike~` around words; `_italic_` is the same in Markdown. */
function formatStyles(text: string): string {
  return decodeEntities(
    text
      .replace(/(^|[^\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1**$2**")
      .replace(/(^|[^\w~])~(?=\S)([^~\n]*?\S)~(?![\w~])/g, "$1~~$2~~"),
  );
}

function decodeEntities(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
