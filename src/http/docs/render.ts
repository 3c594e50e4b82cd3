type Heading = { level: number; id: string; text: string };
export type RenderedPage = { html: string; headings: Heading[] };

/**
 * Renders a page of the documentation (CommonMark and GFM) as HTML. Blocks of HTML in the page are dropped.
 * @param toHref maps a link in the page to its URL
 */
export function renderPage(source: string, toHref: (link: string) => string): RenderedPage {
  const headings: Heading[] = [];
  const inElement = (tag: string) => (inner: string) => `<${tag}>${inner}</${tag}>`;
  const callbacks: Bun.markdown.RenderCallbacks = {
    text: escapeHtml,
    html: () => "",
    heading(inner, { level }) {
      const text = toText(inner);
      const base = toId(text);
      const sameIds = headings.filter(({ id }) => id === base || id.startsWith(`${base}--`)).length;
      const id = sameIds === 0 ? base : `${base}--${sameIds + 1}`;
      headings.push({ level, id, text });
      if (level === 1) return `<h1>${inner}</h1>`;
      return `<h${level} id="${id}"><a href="#${id}">${inner}</a></h${level}>`;
    },
    list(items, { ordered, start = 1 }) {
      if (!ordered) return `<ul>${items}</ul>`;
      return `<ol${start === 1 ? "" : ` start="${start}"`}>${items}</ol>`;
    },
    code: (text) => `<pre tabindex="0"><code>${text.trimEnd()}</code></pre>`,
    link: (inner, { href }) => `<a href="${escapeHtml(toHref(href))}">${inner}</a>`,
    image: (alt, { src }) =>
      `<img src="${escapeHtml(toHref(src))}" alt="${escapeHtml(toText(alt))}" loading="lazy">`,
    table: (rows) => `<div class="table" tabindex="0"><table>${rows}</table></div>`,
    paragraph: inElement("p"),
    blockquote: inElement("blockquote"),
    listItem: inElement("li"),
    hr: () => "<hr>",
    emphasis: inElement("em"),
    strong: inElement("strong"),
    strikethrough: inElement("del"),
    codespan: inElement("code"),
    thead: inElement("thead"),
    tbody: inElement("tbody"),
    tr: inElement("tr"),
    th: inElement("th"),
    td: inElement("td"),
  };
  const html = Bun.markdown.render(source, callbacks, { autolinks: { url: true } });
  return { html, headings };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export function toText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .trim();
}

/** The heading id that GitHub generates, so that links work in both places. */
function toId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
