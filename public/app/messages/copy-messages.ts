import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { formatWhen } from "../parts/times.ts";
import { altOf, senderOf } from "./message-author.tsx";

/** A selected message, and the selected part of its text. */
type Copied = { message: Message; content: DocumentFragment | null };

/**
 * Copies messages as text. By default a browser copies names, times and buttons as lines of their
 * own.
 */
export function watchCopies(): void {
  document.addEventListener("copy", copyMessages);
}

function copyMessages(event: ClipboardEvent): void {
  const { activeElement } = document;
  const selection = getSelection();
  if (activeElement?.matches("input, textarea") || !selection || selection.isCollapsed) return;
  const list = document.querySelector(".timeline");
  const range = selection.getRangeAt(0);
  if (!list || !event.clipboardData || !list.contains(range.commonAncestorContainer)) return;
  const copies = findCopied(list, range);
  // A selection within one message is left to the browser.
  if (copies.length < 2) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", formatText(copies));
  event.clipboardData.setData("text/html", formatHtml(copies));
}

function findCopied(list: Element, range: Range): Copied[] {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-message-id]")];
  const views = Object.values(store.state.peek().views);
  return rows
    .filter((row) => range.intersectsNode(row))
    .flatMap((row): Copied | [] => {
      const id = row.dataset.messageId;
      const message = views.flatMap((view) => view.messages).find((message) => message.id === id);
      const body = row.querySelector(".content");
      return message ? { message, content: body && cutOut(body, range) } : [];
    });
}

/** The selected part of a text, without elements that the author did not write. */
function cutOut(body: Element, range: Range): DocumentFragment | null {
  const part = document.createRange();
  part.selectNodeContents(body);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) {
    part.setStart(range.startContainer, range.startOffset);
  }
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) {
    part.setEnd(range.endContainer, range.endOffset);
  }
  return part.collapsed ? null : cleanCopy(part.cloneContents());
}

/**
 * Whether a copied message needs its author's name, because the message before is by someone else.
 */
const isOther = (copies: Copied[], i: number) =>
  i === 0 ||
  senderOf((copies[i - 1] as Copied).message) !== senderOf((copies[i] as Copied).message);

const headOf = ({ message }: Copied) => `${senderOf(message)}, ${formatWhen(message.created_at)}`;

const uploadsOf = (message: Message): string[] => [
  ...(message.image ? [`[${altOf(message)}]`] : []),
  ...(message.file ? [`[${message.file.name}]`] : []),
];

function formatText(copies: Copied[]): string {
  return copies
    .map((copy, i) => {
      const head = isOther(copies, i) ? [...(i > 0 ? [""] : []), headOf(copy)] : [];
      const text = copy.content ? [toText(copy.content).trim()] : [];
      return [...head, ...text, ...uploadsOf(copy.message)].join("\n");
    })
    .join("\n");
}

function formatHtml(copies: Copied[]): string {
  const page = document.createElement("div");
  for (const [i, copy] of copies.entries()) {
    if (isOther(copies, i)) page.append(makeParagraph("b", headOf(copy)));
    if (copy.content) page.append(copy.content);
    for (const upload of uploadsOf(copy.message)) {
      page.append(makeParagraph("span", upload));
    }
  }
  return new XMLSerializer().serializeToString(page);
}

function makeParagraph(tag: "b" | "span", text: string): HTMLElement {
  const paragraph = document.createElement("p");
  const inner = document.createElement(tag);
  inner.textContent = text;
  paragraph.append(inner);
  return paragraph;
}

/** A part of a message without buttons, and without the client's marks and classes. */
function cleanCopy(part: DocumentFragment): DocumentFragment {
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

/** The text of a copied part, with list and quote markers, and with link targets. */
function toText(node: Node): string {
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
