import { type Json, link, listOf, literal, objectOf, textOf } from "../json.ts";

/** Slack's rich text as Markdown. */
export function richText(elements: unknown): string {
  return listOf(elements).map(part).filter(Boolean).join("\n");
}

function part(given: Json): string {
  const inside = () => listOf(given.elements).map(inline).join("");
  switch (given.type) {
    case "rich_text_section":
      return inside();
    case "rich_text_preformatted":
      return `\`\`\`\n${listOf(given.elements)
        .map((one) => words(one))
        .join("")}\n\`\`\``;
    case "rich_text_quote":
      return inside()
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "rich_text_list":
      return listOf(given.elements)
        .map((item, i) => `${given.style === "ordered" ? `${i + 1}.` : "-"} ${part(item)}`)
        .join("\n");
    default:
      return "";
  }
}

function inline(given: Json): string {
  switch (given.type) {
    case "text":
      return styled(words(given), objectOf(given.style));
    case "link":
      return link(literal(words(given) || textOf(given.url)), given.url);
    case "emoji":
      return `:${textOf(given.name)}:`;
    case "user":
      return `@${textOf(given.user_id)}`;
    case "channel":
      return `#${textOf(given.channel_id)}`;
    case "broadcast":
      return `@${textOf(given.range)}`;
    default:
      return "";
  }
}

/** With the blanks around it, which part it from what stands beside it. */
function words(given: Json): string {
  return typeof given.text === "string" ? given.text : "";
}

function styled(text: string, style: Json): string {
  const [, before = "", core = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (core === "") return text;
  if (style.code) return `${before}\`${core}\`${after}`;
  let styled = literal(core);
  if (style.strike) styled = `~~${styled}~~`;
  if (style.italic) styled = `*${styled}*`;
  if (style.bold) styled = `**${styled}**`;
  return before + styled + after;
}
