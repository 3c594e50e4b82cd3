/** How often the import of a chunk has failed, by its path. */
const failures = new Map<string, number>();

/**
 * Imports a chunk. A browser that caches a failed import for as long as the page is open requests it
 * again only at another address, so each attempt after a failure has its own.
 */
function importChunk(path: string): Promise<unknown> {
  const count = failures.get(path) ?? 0;
  return import(count > 0 ? `${path}?attempt=${count}` : path).catch((error: unknown) => {
    failures.set(path, count + 1);
    throw error;
  });
}

// The bundle calls it where the source has `import()`.
Object.assign(globalThis, { importChunk });
