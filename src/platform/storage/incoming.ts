import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { getLogger } from "../log.ts";

const log = getLogger("storage");
/** A file that nobody has written to for so long belongs to a process that is no more. */
const LEFT_AFTER_MS = 3_600_000;

/** The folder of files that are not whole yet, or not yet where they belong. */
export class Incoming {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Gives a piece of work paths of its own to write to, and leaves nothing of them behind, however
   * the work ends.
   */
  async use<T>(work: (newPath: () => string) => Promise<T>): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const paths: string[] = [];
    try {
      return await work(() => {
        const path = join(this.#folder, Bun.randomUUIDv7());
        paths.push(path);
        return path;
      });
    } finally {
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    }
  }

  /** Deletes what crashed processes have left. Other processes may use the folder at the same time. */
  async clean(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => null);
      if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true });
    }
  }

  /**
   * Cleans now and every hour.
   * @returns a function that stops
   */
  keepClean(): () => void {
    const clean = () =>
      void this.clean().catch((error) =>
        log.warn("Left files could not be deleted.", { error: String(error) }),
      );
    clean();
    const timer = setInterval(clean, LEFT_AFTER_MS);
    return () => clearInterval(timer);
  }
}
