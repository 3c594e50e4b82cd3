import type { BunPlugin } from "bun";

/**
 * What `@lezer/markdown` wants of `@lezer/highlight`, for those who draw no editor: tags that mean
 * nothing. The real one is 5.7 kB of the first load (minified) that nothing in the client calls.
 */
const NOTHING = `
const tag = new Proxy(() => tag, { get: () => tag });
export { tag as tags, tag as Tag };
export const styleTags = () => () => null;
`;

export const withoutHighlight: BunPlugin = {
  name: "without-highlight",
  setup(build) {
    build.onResolve({ filter: /^@lezer\/highlight$/ }, ({ path }) => ({
      path,
      namespace: "nothing",
    }));
    build.onLoad({ filter: /./, namespace: "nothing" }, () => ({
      contents: NOTHING,
      loader: "js",
    }));
  },
};
