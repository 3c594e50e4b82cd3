/** A part of a message as it is shown, without buttons, marks of the client and its classes. */
export function cleanCopy(part: DocumentFragment): DocumentFragment {
  for (const extra of part.querySelectorAll(".edited, .visually-hidden, button")) extra.remove();
  for (const task of part.querySelectorAll(".task")) {
    task.replaceWith(task.querySelector("path") ? "☑ " : "☐ ");
  }
  for (const link of part.querySelectorAll("a")) link.setAttribute("href", link.href);
  for (const element of part.querySelectorAll("*")) {
    for (const name of ["class", "tabindex", "dir", "target", "rel"]) element.removeAttribute(name);
  }
  return part;
}

/** The text of a copy, with the marks of its lists and quotes, and the targets of its links. */
export function toText(node: Node): string {
  if (node instanceof Text) return node.data;
  const inner = () => [...node.childNodes].map(toText).join("");
  if (!(node instanceof Element)) return inner();
  switch (node.localName) {
    case "br":
      return "\n";
    case "p":
    case "div":
    case "pre":
      return `${inner()}\n`;
    case "hr":
      return "---\n";
    case "ul":
    case "ol":
      return [...node.children].map((item) => ofItem(item, node.localName === "ol")).join("");
    case "blockquote":
      return `${inner().trimEnd().replace(/^/gm, "> ")}\n`;
    case "tr":
      return `${[...node.children].map(toText).join("\t")}\n`;
    case "s":
      return `~~${inner()}~~`;
    case "a":
      return ofLink(node as HTMLAnchorElement, inner());
    default:
      return inner();
  }
}

function ofItem(item: Element, isNumbered: boolean): string {
  const mark = isNumbered ? `${item.getAttribute("value") ?? "1"}. ` : "- ";
  const text = [...item.childNodes].map(toText).join("").trimEnd();
  return `${mark}${text.replace(/\n/g, `\n${" ".repeat(mark.length)}`)}\n`;
}

function ofLink({ href }: HTMLAnchorElement, text: string): string {
  const isNamed = text !== href && `${text}/` !== href && !text.startsWith("#");
  return isNamed ? `${text} (${href})` : text;
}
