import { join } from "node:path";
import type { BunPlugin } from "bun";

/** Packages whose libraries the system's loader has to find on a disk, beside each other. */
export const NATIVE = ["sharp"];

/** Has the program load these from `lib/node_modules` beside itself. */
const fromDisk: BunPlugin = {
  name: "from-disk",
  setup(build) {
    const namespace = "from-disk";
    build.onResolve({ filter: new RegExp(`^(?:${NATIVE.join("|")})$`) }, ({ path }) => ({
      path,
      namespace,
    }));
    build.onLoad({ filter: /./, namespace }, ({ path }) => ({
      loader: "js",
      contents: `import { createRequire } from "node:module";
import { dirname, join } from "node:path";
const load = createRequire(join(dirname(process.execPath), "lib/"));
export default load(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * Compiles the service, its commands, the packages that they import and Bun into one program for this
 * platform (https://bun.sh/docs/bundler/executables).
 * @throws AggregateError with the bundler's messages
 */
export async function compileProgram(file: string): Promise<void> {
  await Bun.build({
    entrypoints: [join(import.meta.dir, "program.ts")],
    target: "bun",
    // By these the packages in `lib` find each other.
    compile: { outfile: file, autoloadPackageJson: true },
    // Names in traces are those of the sources.
    minify: { whitespace: true, syntax: true },
    plugins: [fromDisk],
  });
}
