import { type Json, formatLink, listOf, escapeMarkdown, objectOf, textOf } from "../json.ts";

/** Formats Slack's rich text as Markdown. */
export function formatRichText(elements: unknown): string {
  return listOf(elements).map(formatPart).filter(Boolean).join("\n");
}

function formatPart(part: Json): string {
  const inside = () => listOf(part.elements).map(formatInline).join("");
  switch (part.type) {
    case "rich_text_section":
      return inside();
    case "rich_text_preformatted":
      return `\`\`\`\n${listOf(part.elements)
        .map((one) => untrimmedTextOf(one))
        .join("")}\n\`\`\``;
    case "rich_text_quote":
      return inside()
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "rich_text_list":
      return listOf(part.elements)
        .map((item, i) => `${part.style === "ordered" ? `${i + 1}.` : "-"} ${formatPart(item)}`)
        .join("\n");
    default:
      return "";
  }
}

function formatInline(inline: Json): string {
  switch (inline.type) {
    case "text":
      return formatStyles(untrimmedTextOf(inline), objectOf(inline.style));
    case "link":
      return formatLink(escapeMarkdown(untrimmedTextOf(inline) || textOf(inline.url)), inline.url);
    case "emoji":
      return `:${textOf(inline.name)}:`;
    case "user":
      return `@${textOf(inline.user_id)}`;
    case "channel":
      return `#${textOf(inline.channel_id)}`;
    case "broadcast":
      return `@${textOf(inline.range)}`;
    default:
      return "";
  }
}

/** The text with its spaces, which separate it from its neighbours. */
function untrimmedTextOf(element: Json): string {
  return typeof element.text === "string" ? element.text : "";
}

function formatStyles(text: string, style: Json): string {
  const [, before = "", core = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (core === "") return text;
  if (style.code) return `${before}\`${core}\`${after}`;
  let styled = escapeMarkdown(core);
  if (style.strike) styled = `~~${styled}~~`;
  if (style.italic) styled = `*${styled}*`;
  if (style.bold) styled = `**${styled}**`;
  return before + styled + after;
}
