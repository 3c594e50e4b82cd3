import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { getLogger } from "../log.ts";

const log = getLogger("storage");
/** A file that was not modified for this long is a leftover of a crashed process. */
const LEFT_AFTER_MS = 3_600_000;

/** The folder for files that are incomplete or not yet moved to the storage. */
export class Incoming {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs work with temporary file paths, and deletes the files afterwards, even if the work fails. */
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

  /** Deletes leftovers of crashed processes. Other processes may be using the folder. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      const stats = await stat(path).catch(() => null);
      if (stats && Date.now() - stats.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true });
    }
  }

  /**
   * Sweeps now and every hour.
   * @returns a function that stops the sweeps
   */
  startSweeping(): () => void {
    const sweep = () =>
      void this.sweep().catch((error) =>
        log.warn("Leftover uploads could not be deleted.", { error: String(error) }),
      );
    sweep();
    const timer = setInterval(sweep, LEFT_AFTER_MS);
    return () => clearInterval(timer);
  }
}
