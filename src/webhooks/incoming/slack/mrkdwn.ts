import { link } from "../json.ts";

/** Code first, which nothing else is read in; then what stands in angle brackets. */
const PARTS = /```[\s\S]*?```|`[^`\n]+`|<[^<>\n]+>/g;

/**
 * Slack's mrkdwn as Markdown of ours (Slack: "Formatting text for app surfaces"): `<url|label>`,
 * mentions, `*bold*`, `~strike~`, and `&amp;`, `&lt;`, `&gt;`.
 */
export function mrkdwn(source: string): string {
  let text = "";
  let at = 0;
  for (const match of source.matchAll(PARTS)) {
    text += styled(source.slice(at, match.index)) + part(match[0]);
    at = match.index + match[0].length;
  }
  return (text + styled(source.slice(at))).trim();
}

function part(token: string): string {
  if (token.startsWith("```")) return fence(token);
  if (token.startsWith("`")) return decoded(token);
  return bracket(token.slice(1, -1));
}

/** Slack lets text stand behind the opening fence; for us that would name a language. */
function fence(token: string): string {
  const code = decoded(token.slice(3, -3)).replace(/^\n|\n$/g, "");
  return `\n\`\`\`\n${code}\n\`\`\`\n`;
}

/** `<url|label>`, `<@U1|name>`, `<#C1|name>`, `<!here>`, `<!date^…|words>`. */
function bracket(inside: string): string {
  const [target = "", label = ""] = inside.split(/\|(.*)/s);
  const words = decoded(label);
  if (target.startsWith("@")) return `@${words.replace(/^@/, "") || target.slice(1)}`;
  if (target.startsWith("#")) return `#${words.replace(/^#/, "") || target.slice(1)}`;
  if (target.startsWith("!")) return words || `@${target.slice(1).split("^")[0]}`;
  const url = decoded(target);
  // As it was written, where it is no address at all.
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return `<${decoded(inside)}>`;
  return words ? link(styled(label).replace(/[[\]]/g, "\\$&"), url) : url;
}

/** `*bold*` and `~strike~`, where they stand around words; `_italic_` is the same here. */
function styled(text: string): string {
  return decoded(
    text
      .replace(/(^|[^\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1**$2**")
      .replace(/(^|[^\w~])~(?=\S)([^~\n]*?\S)~(?![\w~])/g, "$1~~$2~~"),
  );
}

function decoded(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
