import { leaveKeysToInputMethods } from "../app/parts/input-method.ts";

/**
 * Searches the documentation for all words, with matches in headings first. The texts are loaded at
 * the first key press; without JavaScript, the page has its table of contents.
 */
type Entry = { page: string; title: string; path: string; text: string };

const MAX_RESULTS = 12;
const AROUND = 60;

const field = document.querySelector<HTMLInputElement>("#search");
const list = document.querySelector<HTMLUListElement>("#found");
const count = document.querySelector<HTMLElement>("#count");
const contents = document.querySelector<HTMLDetailsElement>("#contents");
// On a phone, the expanded contents would fill the screen.
if (contents && matchMedia("(max-width: 760px)").matches) contents.open = false;

let entries: Promise<Entry[]> | null = null;
const load = (): Promise<Entry[]> => {
  entries ??= fetch("/docs/search.json").then((answer) => answer.json());
  return entries;
};

const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** A higher score for a word in a heading; 0 if a word is missing. */
function rate({ page, title, text }: Entry, words: string[]): number {
  const [inPage, inTitle, inText] = [fold(page), fold(title), fold(text)];
  let sum = 0;
  for (const word of words) {
    const score = (inTitle.includes(word) ? 8 : 0) + (inPage.includes(word) ? 3 : 0);
    const times = inText.split(word).length - 1;
    if (score + times === 0) return 0;
    sum += score + Math.min(times, 3);
  }
  return sum;
}

function excerpt({ text }: Entry, word: string): string {
  const at = fold(text).indexOf(word);
  const from = Math.max(0, at - AROUND);
  const part = text.slice(from, from + 2 * AROUND).trim();
  return `${from > 0 ? "…" : ""}${part}${from + 2 * AROUND < text.length ? "…" : ""}`;
}

function show(entry: Entry, word: string): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = entry.path;
  const title = document.createElement("strong");
  title.textContent = entry.title === entry.page ? entry.title : `${entry.page}: ${entry.title}`;
  const text = document.createElement("span");
  text.textContent = excerpt(entry, word);
  link.append(title, text);
  item.append(link);
  return item;
}

async function search(): Promise<void> {
  const words = fold(field?.value ?? "")
    .split(/\s+/)
    .filter(Boolean);
  if (!list || !count) return;
  if (words.length === 0) {
    list.replaceChildren();
    count.textContent = "";
    return;
  }
  const all = await load().catch(() => null);
  if (!all) {
    entries = null;
    count.textContent = "The texts could not be loaded. Check the connection and type again.";
    count.className = "hint";
    list.replaceChildren();
    return;
  }
  const rated = all
    .map((entry) => ({ entry, value: rate(entry, words) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_RESULTS);
  list.replaceChildren(...rated.map(({ entry }) => show(entry, words[0] ?? "")));
  count.className = rated.length === 0 ? "hint" : "visually-hidden";
  count.textContent =
    rated.length === 0
      ? "Nothing was found. Try fewer or shorter words."
      : `${rated.length} results`;
}

leaveKeysToInputMethods();
field?.addEventListener("input", () => void search());
field?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    field.value = "";
    void search();
  }
  if (event.key === "Enter") list?.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field?.focus();
  }
});
