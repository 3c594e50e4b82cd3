import { dirname, join } from "node:path";

/** Whether this is the program of `bun run build --compile`: its own files have no place on a disk. */
const isCompiled = import.meta.dir.startsWith("/$bunfs/");

/**
 * The folder of what is read while Snug runs (`drizzle`, `docs`, `client`) and of its packages: the checkout, the
 * built folder, or `lib` beside the program that was compiled.
 */
export const INSTALLATION = isCompiled
  ? join(dirname(process.execPath), "lib")
  : join(import.meta.dir, "../../..");

/** How the command line is called here, for its help. */
export const PROGRAM = isCompiled ? "snug" : "bun cli.ts";
