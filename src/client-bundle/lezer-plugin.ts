import type { BunPlugin } from "bun";

/** Bundles `@lezer/markdown` without `@lezer/highlight`, whose tags are only used in editors. */
export const lezerPlugin: BunPlugin = {
  name: "without-highlight",
  setup(build) {
    build.onResolve({ filter: /^@lezer\/highlight$/ }, ({ path }) => ({ path, namespace: "stub" }));
    build.onLoad({ filter: /./, namespace: "stub" }, () => ({ contents: STUB, loader: "js" }));
  },
};

const STUB = `
const tag = new Proxy(() => tag, { get: () => tag });
export { tag as tags, tag as Tag };
export const styleTags = () => () => null;
`;
