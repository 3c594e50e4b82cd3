const imports = new Map<string, Promise<unknown>>();
/** How often the import of a chunk has failed, by its source. */
const failures = new Map<string, number>();

/**
 * Imports a chunk once. A browser keeps a failed import for as long as the page is open, so each
 * retry uses a different address.
 * @param source its file in `public/app`
 */
export function importChunk<Code>(source: string, load: () => Promise<Code>): Promise<Code> {
  const count = failures.get(source) ?? 0;
  const request = imports.get(source) ?? (count === 0 ? load() : importAgain(source, count));
  imports.set(source, request);
  return (request as Promise<Code>).catch((error: unknown) => {
    imports.delete(source);
    failures.set(source, count + 1);
    throw error;
  });
}

/** Reloads the page instead if an update has replaced its files. */
async function importAgain(source: string, count: number) {
  const response = await fetch("/chunks.json");
  const addresses: Record<string, string> = await response.json();
  if (!document.querySelector(`script[src="${addresses["index.html"]}"]`)) {
    location.reload();
    await new Promise(() => {});
  }
  return import(`${addresses[`app/${source}`]}?attempt=${count}`);
}
