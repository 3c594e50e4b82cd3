import { common, createLowlight } from "lowlight";

export const lowlight = createLowlight();

/** Other names of common languages. A name that is not here is looked for in all of them. */
const ALIASES: Record<string, string> = {
  ...{ js: "javascript", jsx: "javascript", mjs: "javascript", cjs: "javascript" },
  ...{ ts: "typescript", tsx: "typescript", sh: "bash", zsh: "bash", console: "shell" },
  ...{
    py: "python",
    rb: "ruby",
    rs: "rust",
    golang: "go",
    cs: "csharp",
    "c++": "cpp",
    kt: "kotlin",
  },
  ...{ html: "xml", svg: "xml", yml: "yaml", toml: "ini", md: "markdown", patch: "diff" },
  ...Object.fromEntries(["text", "txt"].map((name) => [name, "plaintext"])),
  ...{ make: "makefile", jsonc: "json" },
};

/** The languages that code of another may contain. */
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
 * Registers a language, and those that its code may contain, before its first use: building the grammars
 * of all of them takes longer than a frame.
 * @returns false for an unknown language
 */
export function registerLanguage(name: string): boolean {
  if (lowlight.registered(name)) return true;
  const wanted = ALIASES[name.toLowerCase()] ?? name.toLowerCase();
  if (Object.hasOwn(common, wanted)) add(wanted);
  else for (const one of Object.keys(common)) if (!lowlight.registered(name)) add(one);
  return lowlight.registered(name);
}

function add(name: string): void {
  const grammar = common[name];
  if (!grammar || lowlight.registered(name)) return;
  lowlight.register(name, grammar);
  for (const contained of CONTAINED[name] ?? []) add(contained);
}
