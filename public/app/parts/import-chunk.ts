/** How often the import of a chunk has failed, by its path. */
const failures = new Map<string, number>();

/**
 * Imports a chunk. A browser that caches a failed import for as long as the page is open requests
 * it again only at another address, so each retry uses a different address.
 */
function importChunk(path: string): Promise<unknown> {
  const count = failures.get(path) ?? 0;
  return import(count > 0 ? `${path}?attempt=${count}` : path).catch((error: unknown) => {
    failures.set(path, count + 1);
    throw error;
  });
}

// The bundler replaces `import()` with a call of this function.
Object.assign(globalThis, { importChunk });
