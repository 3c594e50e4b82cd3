import { common, createLowlight } from "lowlight";
import type { ComponentChildren } from "preact";

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Highlights code as elements; returns the text for an unknown language. */
export function highlightCode(language: string, text: string): ComponentChildren {
  if (!registerLanguage(language)) return text;
  return draw(lowlight.highlight(language, text).children);
}

function draw(nodes: Node[]): ComponentChildren {
  return nodes.map((node, i) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const { className } = node.properties;
    return (
      <span key={i} class={Array.isArray(className) ? className.join(" ") : undefined}>
        {draw(node.children as Node[])}
      </span>
    );
  });
}

export const lowlight = createLowlight();

/** Other names of common languages. Other names are looked up in all languages. */
const OTHER_NAMES: Record<string, string[]> = {
  bash: ["sh", "zsh"],
  cpp: ["c++"],
  csharp: ["cs"],
  diff: ["patch"],
  go: ["golang"],
  ini: ["toml"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  json: ["jsonc"],
  kotlin: ["kt"],
  makefile: ["make"],
  markdown: ["md"],
  plaintext: ["text", "txt"],
  python: ["py"],
  ruby: ["rb"],
  rust: ["rs"],
  shell: ["console"],
  typescript: ["ts", "tsx"],
  xml: ["html", "svg"],
  yaml: ["yml"],
};
const LANGUAGE_OF = new Map(
  Object.entries(OTHER_NAMES).flatMap(([language, names]) =>
    names.map((name) => [name, language] as const),
  ),
);

/** Languages that can be embedded in another. */
const CONTAINED: Record<string, string[]> = {
  javascript: ["xml", "css", "graphql"],
  typescript: ["xml", "css", "graphql"],
  xml: ["css", "javascript"],
  markdown: ["xml"],
  "php-template": ["php", "xml"],
  "python-repl": ["python"],
  shell: ["bash"],
  yaml: ["ruby"],
};

/**
 * Registers a language, and the languages it can embed, before its first use, because building all
 * grammars takes longer than a frame.
 * @returns false for an unknown language
 */
export function registerLanguage(name: string): boolean {
  if (lowlight.registered(name)) return true;
  const language = LANGUAGE_OF.get(name.toLowerCase()) ?? name.toLowerCase();
  if (Object.hasOwn(common, language)) add(language);
  else for (const language of Object.keys(common)) if (!lowlight.registered(name)) add(language);
  return lowlight.registered(name);
}

function add(name: string): void {
  const grammar = common[name];
  if (!grammar || lowlight.registered(name)) return;
  lowlight.register(name, grammar);
  for (const contained of CONTAINED[name] ?? []) add(contained);
}
