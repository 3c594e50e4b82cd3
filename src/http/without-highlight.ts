import type { BunPlugin } from "bun";

/**
 * Replaces `@lezer/highlight`, which `@lezer/markdown` imports for editors, by tags without a meaning.
 * The real one is 5.7 kB of the first load (minified) that the client never calls.
 */
const STUB = `
const tag = new Proxy(() => tag, { get: () => tag });
export { tag as tags, tag as Tag };
export const styleTags = () => () => null;
`;

export const withoutHighlight: BunPlugin = {
  name: "without-highlight",
  setup(build) {
    build.onResolve({ filter: /^@lezer\/highlight$/ }, ({ path }) => ({
      path,
      namespace: "stub",
    }));
    build.onLoad({ filter: /./, namespace: "stub" }, () => ({
      contents: STUB,
      loader: "js",
    }));
  },
};
