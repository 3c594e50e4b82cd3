import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";

/** What only some people open, or few and late, below the folder of the app: a chunk each. */
const ON_DEMAND =
  /^(admin|profile|sign-in|webhooks|words)\/|^(parts\/emoji\/data|parts\/markdown\/highlight|reload-on-change)\.tsx?$/;
const LOADED_LATER = /(?<!typeof )\bimport\("(\.[^"]+)"\)/g;
const NAMESPACE = "one-chunk";

/**
 * Bundles all code of the app that is loaded with `import()` into one chunk, less what few people open: it
 * is wanted as soon as the first screen is there, and sixty small chunks take ten round trips over
 * HTTP/1.1 where one takes one. Where a module is imported, its chunk is imported in its place.
 * @param app the folder of the app
 * @throws Error if two of the modules export the same name
 */
export async function oneChunk(app: string): Promise<BunPlugin> {
  const modules = await findModules(app);
  const contents = [...modules].map((path) => `export * from ${JSON.stringify(path)};`).join("\n");
  const names = [...modules].map((path) => RegExp.escape(path.slice(path.lastIndexOf("/"))));
  return {
    name: NAMESPACE,
    setup(build) {
      // Not all paths: with the bundler's own resolution a file keeps its settings from tsconfig.json.
      const filter = new RegExp(`(${names.join("|")})$`);
      build.onResolve({ filter }, ({ kind, path, importer }) => {
        const file = path.startsWith("/") ? path : join(dirname(importer), path);
        if (kind !== "dynamic-import" || !modules.has(file)) return { path: file };
        return { path: NAMESPACE, namespace: NAMESPACE };
      });
      build.onLoad({ filter: /./, namespace: NAMESPACE }, () => ({ contents, loader: "ts" }));
    },
  };
}

/** The modules of the app that the chunk has, by their paths. */
async function findModules(app: string): Promise<Set<string>> {
  const modules = new Set<string>();
  for (const name of new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: app })) {
    const text = await Bun.file(join(app, name)).text();
    for (const [, path = ""] of text.matchAll(LOADED_LATER)) {
      const file = join(app, dirname(name), path);
      if (!ON_DEMAND.test(relative(app, file))) modules.add(file);
    }
  }
  await checkNames(modules);
  return modules;
}

/** If two modules export one name, `export *` would leave out both. */
async function checkNames(modules: Set<string>): Promise<void> {
  const transpiler = new Bun.Transpiler({ loader: "tsx" });
  const owners = new Map<string, string>();
  for (const path of modules) {
    for (const name of transpiler.scan(await Bun.file(path).text()).exports) {
      const owner = owners.get(name);
      if (owner) throw new Error(`Both ${owner} and ${path} export ${name}: rename one.`);
      owners.set(name, path);
    }
  }
}
