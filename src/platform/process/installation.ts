import { dirname, join } from "node:path";

/** Whether this is the executable of `bun run build --compile`, whose own files are not on disk. */
const isCompiled = import.meta.dir.startsWith("/$bunfs/");

/**
 * The folder of Snug's runtime files (`drizzle`, `docs`, `client`) and packages: the checkout, the
 * build folder, or `lib` beside a compiled executable.
 */
export const INSTALLATION = isCompiled
  ? join(dirname(process.execPath), "lib")
  : join(import.meta.dir, "../../..");

/** The command that starts the command line, for its help. */
export const PROGRAM = isCompiled ? "snug" : "bun cli.ts";
