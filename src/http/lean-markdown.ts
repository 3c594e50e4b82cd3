import type { BunPlugin } from "bun";

/** Methods of trees and nodes that only editors use. The accessors among them start with `get`. */
const TREE_METHODS = `
  toString childString cursorAt resolve resolveInner resolveStack iterate matchContext slice toTree
  enterUnfinishedNodesBefore childAfter childBefore enter prevSibling lastChild atLastNode move prev
  moveTo externalSibling`
  .trim()
  .split(/\s+/)
  .concat("get firstChild", "get lastChild", "get nextSibling", "get prevSibling", "get tree");
/** The parsers that `wire/markdown` removes; they are known by their names. */
const BLOCK_PARSERS = ["IndentedCode", "ATXHeading", "HTMLBlock"];
const INLINE_PARSERS = ["Entity", "HTMLTag", "HardBreak", "Link", "Image", "LinkEnd"];

/**
 * Bundles `@lezer/markdown` without what the client never calls, 20 kB of the first load (minified):
 * - `@lezer/highlight`, which it imports for editors, becomes tags without a meaning;
 * - its own tags go, whose values the bundler takes for effects, so that extensions that nobody imports
 *   can be dropped;
 * - parsing again after a change goes, the parsers that `wire/markdown` removes, and of the tree of
 *   `@lezer/common` what only an editor asks it.
 */
export const leanMarkdown: BunPlugin = {
  name: "lean-markdown",
  setup(build) {
    build.onResolve({ filter: /^@lezer\/highlight$/ }, ({ path }) => ({
      path,
      namespace: "stub",
    }));
    build.onLoad({ filter: /./, namespace: "stub" }, () => ({
      contents: STUB,
      loader: "js",
    }));
    build.onLoad({ filter: /@lezer\/markdown\/dist\/index\.js$/ }, async ({ path }) => ({
      contents: reduce(await Bun.file(path).text()),
      loader: "js",
    }));
    build.onLoad({ filter: /@lezer\/common\/dist\/index\.js$/ }, async ({ path }) => ({
      contents: TREE_METHODS.reduce(
        (text, name) => replaceMethod(text, name, ""),
        await Bun.file(path).text(),
      ),
      loader: "js",
    }));
  },
};

const STUB = `
const tag = new Proxy(() => tag, { get: () => tag });
export { tag as tags, tag as Tag };
export const styleTags = () => () => null;
`;

/** Where a newer version has other texts, more is left in, and nothing else changes. */
function reduce(source: string): string {
  const empty = (text: string, name: string, result: string) =>
    replaceMethod(text, name, `\n    ${name}() { return ${result}; }`);
  const blocks = BLOCK_PARSERS.reduce((text, name) => empty(text, name, "false"), source);
  return INLINE_PARSERS.reduce((text, name) => empty(text, name, "-1"), blocks)
    .replace(/\btags\.\w+(?:\(tags\.\w+\))?/g, "null")
    .replace("= styleTags({", "= /* @__PURE__ */ styleTags({")
    .replace(".extend(markdownHighlighting)", "")
    .replace("new FragmentCursor(fragments, input)", "null")
    .replace("new LinkReferenceParser(leaf)", "null")
    .replace("return new SetextHeadingParser;", "return null;");
}

/** Replaces a method of classes or of an object, from its first line to the last of the same indent. */
function replaceMethod(source: string, name: string, by: string): string {
  const body = String.raw`\([^)\n]*\) (?:\{ [^\n]*\}|\{\n[^]*?\n {4}\})(?=,?\n)`;
  return source.replaceAll(new RegExp(`\\n {4}${name}${body}`, "g"), by);
}
