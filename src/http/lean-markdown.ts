import type { BunPlugin } from "bun";

/**
 * Bundles `@lezer/markdown` without what the client never calls, 9 kB of the first load (minified):
 * - `@lezer/highlight`, which it imports for editors, becomes tags without a meaning;
 * - its own tags go, whose values the bundler takes for effects, so that extensions that nobody imports
 *   can be dropped;
 * - parsing again after a change goes, and the parsers that `wire/markdown` removes.
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
  },
};

const STUB = `
const tag = new Proxy(() => tag, { get: () => tag });
export { tag as tags, tag as Tag };
export const styleTags = () => () => null;
`;

/** Where a newer version has other texts, more is left in, and nothing else changes. */
function reduce(source: string): string {
  return source
    .replace(/\btags\.\w+(?:\(tags\.\w+\))?/g, "null")
    .replace("= styleTags({", "= /* @__PURE__ */ styleTags({")
    .replace(".extend(markdownHighlighting)", "")
    .replace("new FragmentCursor(fragments, input)", "null")
    .replace("new LinkReferenceParser(leaf)", "null")
    .replace("return new SetextHeadingParser;", "return null;");
}
